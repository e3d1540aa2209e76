"""Docstrings as Markdown: an extension of griffe, which reads the module for mkdocstrings.

The roles :func:`name` become links, examples outside a section blocks of code, tables of = signs tables, and ``x`` of reStructuredText `x`.
"""
import re

import griffe

ROLE = re.compile(r':(?:func|class|meth|mod|attr|exc|data):`~?([\w.]+)`')
EXAMPLE = re.compile(r'(?m)^( *)>>> .*\n(?:\1\S.*\n?)*')
# A table of reStructuredText: a border, the heading, a border, rows, a border.
TABLE = re.compile(r'(?m)^(=+(?: +=+)+)\n(.*\n)\1\n((?:.*\n)*?)\1\n')
# a[i][j], which Markdown would take for a link.
ENTRY = re.compile(r'(?<![`\w])(\w+(?:\[\w+\]){2,})(?!`)')


def is_shown(package, name):
    """Not what comes from the compiled part, whose docstrings are not in the sources."""
    try:
        part = package[name]
        return bool((part.final_target if part.is_alias else part).docstring)
    except (KeyError, griffe.AliasResolutionError):
        return False


def as_link(package, name):
    short = name.removeprefix('countpm.')
    return f'[`{name}`][countpm.{short}]' if is_shown(package, short) else f'`{name}`'


def as_code(example):
    indent = example[1]
    return f'{indent}```pycon\n{example[0].rstrip()}\n{indent}```\n'


def as_table(table):
    """Its columns are where the border's are; a row with an empty first column goes on with the one above."""
    spans = [(border.start(), border.end()) for border in re.finditer('=+', table[1])]
    spans[-1] = spans[-1][0], None
    rows = []
    for line in [table[2], *table[3].splitlines()]:
        cells = [line[start:end].strip() for start, end in spans]
        if cells[0]:
            rows.append(cells)
        else:
            rows[-1] = [' '.join((old, new)).strip() for old, new in zip(rows[-1], cells)]
    rows.insert(1, ['---'] * len(spans))
    return ''.join(f'| {" | ".join(row)} |\n' for row in rows)


def as_markdown(package, text):
    text = ROLE.sub(lambda role: as_link(package, role[1]), text) + '\n'
    text = ''.join(part if part.startswith('`') else ENTRY.sub(r'`\1`', part) for part in re.split(r'(`+[^`]*`+)', text))
    text = re.sub(r'(?m)^( *)#P', r'\1\\#P', text)  # no heading
    return re.sub(r'(?<!`)``(?!`)', '`', EXAMPLE.sub(as_code, TABLE.sub(as_table, text)))


class Docstrings(griffe.Extension):
    def on_package(self, *, pkg, **_):
        self.change(pkg, pkg)

    def change(self, package, part):
        if part.is_alias:
            return
        if part.docstring:
            part.docstring.value = as_markdown(package, part.docstring.value)
        for member in part.members.values():
            self.change(package, member)
