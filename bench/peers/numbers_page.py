"""The page docs/reproduce/numbers.md: counts that doubles cannot hold, and what other programs printed in the race of scripts/peers in place of an integer."""

import csv
import importlib.util
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]
MOST_DIGITS = 40


def known_counts():
    """Rows of known_counts.tsv: counts of SuiteSparse matrices, entries as ones, beyond 2^53."""
    with open(HERE / 'known_counts.tsv', encoding='utf-8') as file:
        return list(csv.DictReader(file, delimiter='\t'))


def published(name):
    """Who published a time of this matrix: whose table of ../reproduce/papers.py has it."""
    spec = importlib.util.spec_from_file_location('papers', HERE.parent / 'reproduce' / 'papers.py')
    papers = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(papers)
    found = [paper.title for paper in papers.PAPERS for table in paper.tables for row in table.rows
             if row.arguments == ['INPUT'] and getattr(row.make, 'is_file', False) and row.make.name == name]
    return '; '.join(dict.fromkeys(title.split(':')[0] for title in found)) or '-'


def difference(count):
    """What the nearest double has too much or too little."""
    off = int(float(count)) - count
    return f'{off:+,}' if off else 'none'


def shortened(text):
    return text if len(text) <= MOST_DIGITS else f'{text[:12]}...{text[-12:]} ({len(text)} digits)'


def without_zero_part(text):
    """Of a complex number without an imaginary part the real one."""
    return text[1:-5] if text.startswith('(') and text.endswith(',0.0)') else text


def printed_rows(groups):
    """(what, exact, proof, [(program, what it printed)]) of the race's instances of integers where a program printed another number.

    The first of a group has the group's title."""
    for group in groups:
        title = f"{group['title'].lower()}: "
        for row in group['rows']:
            printed = sorted((name, without_zero_part(run['printed'])) for name, run in row['runs'].items() if run.get('printed'))
            if printed:
                yield f"{title}{row['about']}", row['exact'], row.get('proof'), printed
                title = ''


def page(groups):
    lines = ['# Numbers that others print rounded or wrong', '',
             'A program that sums in double precision has 53 bits: beyond 2^53 it can at best print the nearest double.', 'Its own rounding comes on top.', '',
             '## What doubles can hold', '',
             'Counts of SuiteSparse matrices with entries as ones: permanents of their patterns.',
             'Each was checked modulo two primes of 61 bits by another program than countpm.', '"Published" is a paper of these pages that has a time for this matrix.', '',
             '| matrix | rows | count | nearest double less the count | published |', '|---|---|---|---|---|']
    lines += [f"| {row['collection']} | {row['rows']} | {row['count']} | {difference(int(row['count']))} | {published(row['matrix'])} |" for row in known_counts()]
    lines += ['', 'The published record, all 62 x 62 entries 0.91, has a relative error of 1e-6 ([SUperman](superman.md)).',
              'countpm has it as a fraction by `--exact`: it is 0.91^62 times 62!.', '']
    rows = list(printed_rows(groups))
    if rows:
        lines += ['## What programs printed', '',
                  'Matrices of the [race](../../bench/results/peers.md) whose permanents or hafnians are integers, and programs that printed something else.',
                  'A proof is a file of [data/proofs](../proofs.md#the-gallery), which anybody can check without countpm.', '',
                  '| what | exact | proof | printed |', '|---|---|---|---|']
        for what, exact, proof, printed in rows:
            texts = '; '.join(f'{name} {text}' for name, text in printed)
            lines.append(f"| {what} | {shortened(exact)} | {f'`{proof}`' if proof else '-'} | {texts} |")
        lines.append('')
    return '\n'.join(lines)

