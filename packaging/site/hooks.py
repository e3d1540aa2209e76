"""What the site has beside docs/: the project's own pages, the measurements, and the references of Python and C++.

MkDocs calls these functions. COUNTPM_DOXYGEN names the folder in which doxygen left the C++ reference. The page of docs/web.md is there if scripts/build-web has built it.
"""
import ast
import fnmatch
import os
import posixpath
import re
import shutil
from pathlib import Path

from mkdocs.structure.files import File, InclusionLevel

SITE = Path(__file__).resolve().parent
TOP = SITE.parents[1]
MODULE = TOP / 'python' / 'countpm'
WEB = TOP / 'build' / 'web'

# Pages that stand outside docs/, and what they are called on the site.
PAGES = {'README.md': 'index.md', 'docs/README.md': 'contents.md', 'CONTRIBUTING.md': 'contributing.md',
         'CHANGELOG.md': 'changelog.md', 'LICENSE': 'license.md'}

# A table with a cell of more characters has much writing.
MUCH_WRITING = 40
# A word of more characters may break where a table has more than five columns.
LONG_WORD = 12

# bench/results on the site: its README is the index.
RESULTS = {path.relative_to(TOP).as_posix(): 'results/' + ('index.md' if path.name == 'README.md' else path.name)
           for path in sorted((TOP / 'bench' / 'results').glob('*.md'))}

CPP = '''# C++

After `cmake --install`, or with Debian's package `libcountpm-dev`, `find_package(countpm)` offers `countpm::countpm`, and
`#include <countpm/countpm.hpp>` the interface ([how](library.md)).

[All classes and functions of the public headers](cpp/index.html), made by doxygen.
'''

# The Python reference by what one asks. A function that no row names is put under the last heading before the classes.
PYTHON = [
    ('How many are there?', 'count perfect_matchings maximum_matchings number_of_matchings number_of_factors cycle_covers count_orbits ln_z'),
    ('Permanents, hafnians, determinants', 'permanent hafnian loop_hafnian loop_hafnians determinant pfaffian'),
    ('Polynomials', 'matching_polynomial clar_covering_polynomial letters'),
    ('How likely is an edge, which matchings are there?', 'marginals pair_marginals sample iter_matchings ground_state'),
    ('About how many are there?', 'estimate bounds count_or_bounds ratio integrate signed_sum'),
    ('How long would it take?', 'explain explain_*'),
    ('Boson sampling', 'outcome_probability minors permanent_gradient'),
    ('Molecules', 'kekule kekule_many from_smiles'),
    ('Covers by rings and other sets', 'ring_covers exact_covers'),
    ('Many graphs', 'count_many read_many'),
    ('Input', 'read lattice'),
    ('Other functions', '*'),
]
NO_MEMBERS = '    options:\n      members: false\n      show_root_heading: false\n      show_root_toc_entry: false\n'
INPUT_CLASSES = 'Graph *Options Progress'
ERRORS = '*Error Error *Warning'  # of the compiled part; the docstring of countpm.errors has them all


def exported():
    """The names that `countpm` exports, read from its source."""
    for node in ast.parse((MODULE / '__init__.py').read_text(encoding='utf-8')).body:
        if isinstance(node, ast.Assign) and any(getattr(target, 'id', '') == '__all__' for target in node.targets):
            return ast.literal_eval(node.value)
    raise ValueError('python/countpm/__init__.py has no __all__')


def chosen(names, patterns):
    """The names that the patterns choose, in the patterns' order, each once."""
    return list(dict.fromkeys(name for pattern in patterns.split() for name in names if fnmatch.fnmatchcase(name, pattern)))


def python_reference():
    """Headings by question, then classes: `::: countpm.name` is what mkdocstrings replaces by the docstring."""
    names = exported()
    functions, classes = [n for n in names if n[0].islower()], [n for n in names if n[0].isupper()]
    named = {name for _, patterns in PYTHON if patterns != '*' for name in chosen(functions, patterns)}
    sections = [(title, [n for n in functions if n not in named] if patterns == '*' else chosen(functions, patterns)) for title, patterns in PYTHON]
    inputs = chosen(classes, INPUT_CLASSES)
    sections += [
        ('By the names of other packages', [f'compat.{path.stem}' for path in sorted((MODULE / 'compat').glob('*.py')) if path.stem != '__init__']),
        ('Errors', ['errors']),
        ('Classes of input and options', inputs),
        ('Classes of answers', [name for name in classes if name not in inputs and name not in chosen(classes, ERRORS)]),
    ]
    text = '# Python\n\n::: countpm\n' + NO_MEMBERS
    for title, members in sections:
        if members:
            text += f'\n## {title}\n' + ''.join(f'\n::: countpm.{name}\n' + NO_MEMBERS * (name == 'errors') for name in members)
    return text


def expand(entries, files, named):
    """The navigation with a pattern, as `guides/*`, replaced by the pages that it chooses and no entry names."""
    for entry in entries:
        if isinstance(entry, dict):
            (title, value), = entry.items()
            yield {title: list(expand(value, files, named)) if isinstance(value, list) else value}
        elif '*' in entry:
            chosen_pages = [page for page in files if fnmatch.fnmatchcase(page, entry) and page not in named]
            named.update(chosen_pages)
            yield from chosen_pages
        else:
            yield entry


def named_in(entries):
    for entry in entries:
        value = next(iter(entry.values())) if isinstance(entry, dict) else entry
        yield from named_in(value) if isinstance(value, list) else [value]


def on_config(config):
    """Patterns in the navigation become pages; a page that nothing there names is a warning, so an error."""
    docs = Path(config.docs_dir)
    pages = sorted(path.relative_to(docs).as_posix() for path in docs.rglob('*.md') if path.name != 'README.md')
    config.nav = list(expand(config.nav, pages, set(named_in(config.nav))))
    return config


def links_of(source):
    """What a page of the project links to in the project."""
    for link in re.findall(r'\]\(([^)#:\s]+)', (TOP / source).read_text(encoding='utf-8')):
        yield posixpath.normpath(posixpath.join(posixpath.dirname(source), link))


def linked_files():
    """What pages link to outside docs/, recipes, a program and the like, and its place on the site."""
    sources = [*PAGES, *RESULTS, *(path.relative_to(TOP).as_posix() for path in (TOP / 'docs').rglob('*.md'))]
    found = {}
    for source in sources:
        for target in links_of(source):
            if not target.startswith('docs/') and target not in PAGES and target not in RESULTS and target not in found and (TOP / target).is_file():
                found[target] = target.removesuffix('README.md') + 'index.md' if target.endswith('README.md') else target
                if target.endswith('.md'):
                    sources.append(target)
    return found


LINKED = linked_files()
PLACES = LINKED | PAGES | RESULTS


def on_files(files, config):
    for source, page in PLACES.items():
        if source == 'LICENSE':
            files.append(File.generated(config, page, content='# Licence\n\n' + (TOP / source).read_text(encoding='utf-8')))
        elif page.endswith('.md'):
            inclusion = InclusionLevel.INCLUDED if source in PAGES else InclusionLevel.NOT_IN_NAV
            files.append(File.generated(config, page, content=(TOP / source).read_text(encoding='utf-8'), inclusion=inclusion))
        else:
            files.append(File.generated(config, page, abs_src_path=str(TOP / source)))
    files.append(File.generated(config, 'cpp.md', content=CPP))
    files.append(File.generated(config, 'site.css', abs_src_path=str(SITE / 'site.css')))
    files.append(File.generated(config, 'python-reference.md', content=python_reference()))
    doxygen = Path(os.environ['COUNTPM_DOXYGEN'])
    for path in sorted(doxygen.rglob('*')):
        if path.is_file():
            files.append(File.generated(config, 'cpp/' + path.relative_to(doxygen).as_posix(), abs_src_path=str(path)))
    return files


def on_post_build(config):
    """The page that runs in a browser: MkDocs leaves it as it is."""
    if (WEB / 'index.html').is_file():
        shutil.copytree(WEB, Path(config.site_dir) / 'web')


def words_of(cell):
    return re.sub(r'<[^>]*>', '', cell).split()


def marked(table):
    """A table with what site.css shows in its own way: cells with a long word, and, where there is much writing, their columns' names.

    A phone shows each row of the latter as a card.
    """
    text = table[0]
    cells = re.findall(r'(?s)<td[^>]*>(.*?)</td>', text)
    names = [' '.join(words_of(name)).replace('"', '&quot;') for name in re.findall(r'(?s)<th[^>]*>(.*?)</th>', text)]
    much = any(len(' '.join(words_of(cell))) > MUCH_WRITING for cell in cells)

    def mark_row(row):
        labels = iter(names)

        def mark(cell):
            label = next(labels, '')
            long = len(names) > 5 and any(len(word) > LONG_WORD for word in words_of(cell[2]))
            return '<td' + (f' data-label="{label}"' if much and label else '') + (' data-long' if long else '') + f'{cell[1]}>{cell[2]}</td>'

        return re.sub(r'(?s)<td([^>]*)>(.*?)</td>', mark, row[0])

    text = re.sub(r'(?s)<tr>.*?</tr>', mark_row, text)
    return text.replace('<table', '<table data-cards', 1) if much else text


def with_whole_options(code):
    """Code in running text, of which no option breaks behind its dashes."""
    return '<code>' + re.sub(r'--[a-z][a-z-]*', r'<span class="option">\g<0></span>', code[1]) + '</code>'


def on_page_content(html, page, **_):
    if page.file.src_uri == 'web.md' and (WEB / 'index.html').is_file():
        html = html.replace('</h1>', '</h1>\n<p><a class="md-button md-button--primary" href="web/index.html">Open the page</a></p>', 1)
    html = re.sub(r'<code>([^<]*--[^<]*)</code>', with_whole_options, html)
    return re.sub(r'(?s)<table>.*?</table>', marked, html)


def on_page_markdown(markdown, page, config, files):
    """Links between folders of the project, as links between pages of the site, where docs/ is the top."""
    source = {site: path for path, site in PLACES.items()}.get(page.file.src_uri, 'docs/' + page.file.src_uri)

    def on_the_site(link):
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), link[1]))
        there = PLACES.get(target, target.removeprefix('docs/'))
        return '](' + posixpath.relpath(there, posixpath.dirname(page.file.src_uri))

    return re.sub(r'\]\(((?![a-z]+:)[^)#\s]+)', on_the_site, markdown)
