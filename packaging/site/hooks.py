"""What the site has beside docs/: the project's own pages, the measurements, and the references of Python and C++.

MkDocs calls these functions. COUNTPM_DOXYGEN names the folder in which doxygen left the C++ reference.
"""
import os
import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File

SITE = Path(__file__).resolve().parent
TOP = SITE.parents[1]
MODULE = TOP / 'python' / 'countpm'

# Pages that stand outside docs/, and what they are called on the site.
PAGES = {'README.md': 'index.md', 'docs/README.md': 'contents.md', 'CONTRIBUTING.md': 'contributing.md',
         'CHANGELOG.md': 'changelog.md', 'LICENSE': 'license.md'}

# bench/results on the site: its README is the index.
RESULTS = {path.relative_to(TOP).as_posix(): 'results/' + ('index.md' if path.name == 'README.md' else path.name)
           for path in sorted((TOP / 'bench' / 'results').glob('*.md'))}

CPP = '''# C++

After `cmake --install`, or with Debian's package `libcountpm-dev`, `find_package(countpm)` offers `countpm::countpm`, and
`#include <countpm/countpm.hpp>` the interface ([how](library.md)).

[All classes and functions of the public headers](cpp/index.html), made by doxygen.
'''

PYTHON = '''# Python

::: countpm
'''


def on_config(config):
    """The Python reference comes before the C++ one, where the module is there."""
    if MODULE.is_dir():
        for section in config.nav:
            for entry in section.get('Reference', []) if isinstance(section, dict) else []:
                if 'C++' in entry:
                    section['Reference'].insert(section['Reference'].index(entry), {'Python': 'python-reference.md'})
                    break
    return config


def linked_files():
    """What those pages link to beside pages: recipes and the like, which the site has copies of."""
    for source in PAGES:
        for target in re.findall(r'\]\(([^)#:]+)', (TOP / source).read_text(encoding='utf-8')):
            if not target.startswith('docs/') and target not in PAGES and target not in RESULTS and (TOP / target).is_file():
                yield target


def on_files(files, config):
    for source, page in PAGES.items():
        text = (TOP / source).read_text(encoding='utf-8')
        if source == 'LICENSE':
            text = '# Licence\n\n' + text
        files.append(File.generated(config, page, content=text))
    for source, page in RESULTS.items():
        files.append(File.generated(config, page, content=(TOP / source).read_text(encoding='utf-8')))
    for target in sorted(set(linked_files())):
        files.append(File.generated(config, target, abs_src_path=str(TOP / target)))
    files.append(File.generated(config, 'cpp.md', content=CPP))
    files.append(File.generated(config, 'site.css', abs_src_path=str(SITE / 'site.css')))
    if MODULE.is_dir():
        files.append(File.generated(config, 'python-reference.md', content=PYTHON))
    doxygen = Path(os.environ['COUNTPM_DOXYGEN'])
    for path in sorted(doxygen.rglob('*')):
        if path.is_file():
            files.append(File.generated(config, 'cpp/' + path.relative_to(doxygen).as_posix(), abs_src_path=str(path)))
    return files


def on_page_markdown(markdown, page, config, files):
    """Links between folders of the project, as links between pages of the site, where docs/ is the top."""
    source = {site: path for path, site in (PAGES | RESULTS).items()}.get(page.file.src_uri, 'docs/' + page.file.src_uri)

    def on_the_site(link):
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), link[1]))
        there = (PAGES | RESULTS).get(target, target.removeprefix('docs/'))
        return '](' + posixpath.relpath(there, posixpath.dirname(page.file.src_uri))

    return re.sub(r'\]\(((?![a-z]+:)[^)#\s]+)', on_the_site, markdown)
