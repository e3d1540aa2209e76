"""Docstrings as Markdown: an extension of griffe, which reads the module for mkdocstrings.

The roles :func:`name` become links, examples outside a section blocks of code, and ``x`` of reStructuredText `x`.
"""
import re

import griffe

ROLE = re.compile(r':(?:func|class|meth|mod|attr|exc|data):`~?([\w.]+)`')
EXAMPLE = re.compile(r'(?m)^( *)>>> .*\n(?:\1\S.*\n?)*')


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


def as_markdown(package, text):
    text = ROLE.sub(lambda role: as_link(package, role[1]), text) + '\n'
    return re.sub(r'(?<!`)``(?!`)', '`', EXAMPLE.sub(as_code, text))


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
