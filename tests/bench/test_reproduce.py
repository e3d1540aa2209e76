#!/usr/bin/env python3
"""Tests of scripts/reproduce: its pages are what their JSON says, every row is run or has a reason, and small rows have the known answers.

    python3 tests/bench/test_reproduce.py --countpm build/release/countpm
"""
import argparse
import json
import math
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom
from fractions import Fraction
from pathlib import Path

sys.dont_write_bytecode = True
TOP = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / 'bench' / 'reproduce'), str(TOP / 'bench' / 'peers')]

import hilbert
import pages
import papers
import runs

COUNTPM = None


def named(paper, key):
    return next((each, table, row) for each, table, row in papers.chosen(paper) if f'{table.name}/{row.name}' == key)


class Rows(unittest.TestCase):
    def test_each_is_run_or_has_a_reason(self):
        for paper, table, row in papers.chosen():
            ways = [bool(row.arguments), bool(row.missing), bool(row.elsewhere), bool(row.call)]
            self.assertEqual(sum(ways), 1, f'{paper.name} {table.name}/{row.name}')

    def test_names_are_unique_and_plain(self):
        keys = [f'{paper.name} {table.name}/{row.name}' for paper, table, row in papers.chosen()]
        self.assertEqual(len(keys), len(set(keys)))
        for key in keys:
            self.assertRegex(key, r'^[a-z-]+ [a-z]+/[A-Za-z0-9_-]+$')

    def test_published_seconds_have_a_machine_and_a_source(self):
        for paper, table, row in papers.chosen():
            if row.published and row.published.seconds is not None:
                self.assertTrue(row.published.machine and row.published.source, row.name)
            elif row.published:
                self.assertTrue(row.published.text, row.name)

    def test_what_is_not_there_is_named(self):
        with self.assertRaisesRegex(LookupError, "no paper 'nothing'; there are superman,"):
            papers.chosen('nothing')
        with self.assertRaisesRegex(LookupError, "no table 'nothing' of thesis; there are exact,"):
            papers.chosen('thesis', 'nothing')

    def test_matrices_are_the_same_every_time(self):
        self.assertEqual(papers.random_matrix(5, 0.5, 'real'), papers.random_matrix(5, 0.5, 'real'))
        self.assertEqual(papers.random_complex(4), papers.random_complex(4))


class Hilbert(unittest.TestCase):
    def test_exact_determinants(self):
        self.assertEqual([hilbert.exact_determinant(n) for n in (1, 2, 3, 4)], [1, Fraction(1, 12), Fraction(1, 2160), Fraction(1, 6048000)])

    def test_both_eliminations_are_right_where_doubles_are(self):
        for n in (1, 2, 3, 5):
            for function in (hilbert.by_elimination, hilbert.by_condensation):
                self.assertLess(hilbert.relative_error(function(n), hilbert.exact_determinant(n)), 1e-9, f'{function.__name__} {n}')
        self.assertGreater(hilbert.relative_error(hilbert.by_elimination(15), hilbert.exact_determinant(15)), 1e-3)

    def test_every_precision_and_way_agrees_where_it_can(self):
        errors = hilbert.errors_of(5, hilbert.exact_determinant(5))
        self.assertEqual(len(errors), 10)
        for name, error in errors.items():
            self.assertLess(error, 1e-90 if '100 digits' in name else 1e-28 if '34 digits' in name else 1e-10 if 'doubles' in name else 1e-2, name)
        self.assertIsNone(hilbert.by_dodgson(20))  # a minor in the middle vanishes in doubles

    def test_errors_beyond_floats_are_text(self):
        self.assertEqual(hilbert.relative_error((1.0, 0), Fraction(1, 10 ** 400)), '1e+399')


class Comparing(unittest.TestCase):
    def test_answers(self):
        self.assertEqual(runs.compared('6728', '6728'), (0.0, False))
        self.assertTrue(runs.compared('6729', '6728')[1])
        self.assertFalse(runs.compared('6729.5', '6728')[1])
        self.assertEqual(runs.compared('lines 6', 'lines 6'), (None, False))
        self.assertTrue(runs.compared('lines 5', 'lines 6')[1])
        self.assertEqual(runs.compared('5', None), (None, False))
        self.assertAlmostEqual(runs.log_of_board(6), math.log(6728), 12)
        self.assertEqual(runs.compared('12988816', 'board 8'), (0.0, False))
        for wrong in ('12988817', '12988800', '16'):
            self.assertEqual(runs.compared(wrong, 'board 8'), (None, True))


class Pages(unittest.TestCase):
    def test_they_are_what_the_json_says(self):
        self.assertEqual(pages.differences(pages.rendered()), [])

    def test_they_name_no_issues(self):
        for path, text in pages.rendered().items():
            self.assertNotRegex(text, r'(?i)\bissue \d', path.name)

    def test_every_row_is_on_its_page(self):
        for name, value in pages.read().items():
            paper = next(each for each in papers.PAPERS if each.name == name)
            self.assertEqual(sorted(value['rows']), sorted(f'{table.name}/{row.name}' for table in paper.tables for row in table.rows), name)
            text = pages.page(paper, value)
            for row in value['rows'].values():
                about = row['about']  # whose first letter may be a capital, and whose beginning the row above may have
                endings = [f'| ...{about[at:]} |' for at in range(len(about)) if about[at:at + 2] == ', ']
                self.assertTrue(about[1:] in text or any(ending in text for ending in endings), about)


class Running(unittest.TestCase):
    def setUp(self):
        if COUNTPM is None:
            self.skipTest('no --countpm')
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.setting = runs.Setting(COUNTPM, self.folder.name, 30, False)

    def test_small_rows_have_the_known_answers(self):
        wanted = [('superman', 'error/plain-16'), ('superman', 'error/113-bits-16'), ('superman', 'error/constant-62'), ('superman', 'uses/hessenberg'),
                  ('code-generation', 'synthetic/n20-p10-auto'), ('thesis', 'exact/skipper-n20-p10'), ('thesis', 'grids/rasmussen-plus-6x6'),
                  ('condensation', 'modular/board-6'), ('condensation', 'floating/log-10'), ('condensation', 'hilbert/hilbert-5'), ('permutations', 'count/count-8'),
                  ('permutations', 'list/list-7'), ('permutations', 'list/order'), ('permutations', 'list/opencl'), ('permutations', 'count/count-13'),
                  ('permutations', 'list/range'), ('condensation', 'modular/copy-cpu'), ('superman', 'dense/modes')]
        rows = [named(*each) for each in wanted]
        self.assertEqual(runs.run(rows, self.setting), 0)
        for paper, key in wanted:
            found = runs.kept_rows(next(each for each in papers.PAPERS if each.name == paper), self.setting)[key]
            state = {'list/opencl': 'missing', 'count/count-13': 'not run', 'dense/modes': 'elsewhere'}.get(key, 'ok')
            self.assertEqual(found['status'], state, f'{paper} {key}: {found}')
        error = runs.kept_rows(rows[0][0], self.setting)
        self.assertLess(error['error/113-bits-16']['error'], 1e-25)
        self.assertLess(error['error/plain-16']['error'], error['error/plain-16']['claimed'])
        for name, value in pages.read(self.folder.name).items():
            paper = next(each for each in papers.PAPERS if each.name == name)
            self.assertIn('| what |', pages.page(paper, value))
            self.assertEqual(len(value['machines']), 1)
            xml.dom.minidom.parseString(pages.drawing(paper, value))

    def test_a_run_goes_on_where_it_stopped(self):
        rows = [named('permutations', 'count/count-8'), named('permutations', 'list/list-7')]
        self.assertEqual(runs.run(rows, self.setting, minutes=-1), 2)
        self.assertEqual(runs.run(rows[:1], self.setting), 0)
        file = Path(self.folder.name) / 'permutations.json'
        before = json.loads(file.read_text(encoding='utf-8'))['rows']['count/count-8']
        self.assertEqual(runs.run(rows, self.setting), 0)
        after = json.loads(file.read_text(encoding='utf-8'))['rows']
        self.assertEqual(after['count/count-8'], before)
        self.assertEqual(after['list/list-7']['status'], 'ok')

    def test_rows_of_another_machine_are_merged(self):
        rows = [named('permutations', 'count/count-8'), named('permutations', 'count/count-13')]
        runs.run(rows, self.setting)
        with tempfile.TemporaryDirectory() as elsewhere:
            gpu = runs.Setting(COUNTPM, elsewhere, 30, False)
            runs.run(rows, gpu)
            file = Path(elsewhere) / 'permutations.json'
            value = json.loads(file.read_text(encoding='utf-8'))
            here = next(iter(value['machines']))
            value['machines']['other, x'] = {**value['machines'][here], 'name': 'other', 'gpus': ['NVIDIA other, 1']}
            value['rows']['count/count-13'].update(status='ok', machine='other, x', date='2100-01-01', load=[1, 1], whole=1.0, kernel=0.1, error=0.0, answer='6227020800')
            file.write_text(json.dumps(value), encoding='utf-8')
            self.assertEqual(runs.merge(elsewhere, self.setting), 1)
            self.assertEqual(runs.merge(elsewhere, self.setting), 0)
        paper = next(each for each in papers.PAPERS if each.name == 'permutations')
        merged = pages.read(self.folder.name)['permutations']
        self.assertEqual(sorted(merged['machines']), sorted([here, 'other, x']))
        text = pages.page(paper, merged)
        self.assertRegex(text, r'all 13! permutations.*6227020800.*\| other \|')
        self.assertIn('Machine (other): ', text)

    def test_wrong_answers_are_marked(self):
        program = Path(self.folder.name) / 'wrong'
        program.write_text('#!/bin/sh\nif [ "$1" = version ]; then echo countpm 0; exit; fi\n'
                           'echo \'{"object": "count", "count": "40319", "method": "enumerate", "error_bound": null, "seconds": {"count": 1}}\'\n', encoding='ascii')
        program.chmod(0o755)
        setting = runs.Setting(program, self.folder.name, 30, False)
        row = runs.run_row(named('permutations', 'count/count-8')[2], setting)
        self.assertEqual(row['status'], 'wrong')
        self.assertIn('**WRONG**', ' '.join(pages.row_cells(row, {'machines': {}}, '')))

    def test_columns_that_say_nothing_are_left_out(self):
        def row(published, error):
            return {'status': 'ok', 'about': 'a', 'published': published, 'whole': 1, 'kernel': 1, 'error': error, 'answer': '7', 'method': 'ryser', 'machine': 'here'}

        here, there = {'here': {'name': '2 cores'}}, {'there': {'name': 'H200'}}
        absent = {'seconds': None, 'text': 'not at hand'}
        self.assertEqual(pages.table_of([row(None, None)], {'machines': here}, '')[0], '| what | whole program, s | counting, s | answer | method, or why there is none |')
        self.assertEqual(pages.table_of([row(absent, None)], {'machines': {**here, **there}}, '')[:3], ["The paper's figures are not at hand.", 'Machine: 2 cores.', ''])
        figure = {'seconds': 3, 'machine': 'M', 'source': 'S'}
        two = pages.table_of([row(figure, 0.1), {**row(absent, None), 'machine': 'there'}], {'machines': {**here, **there}}, 'a paper, S')
        self.assertEqual(two[0], f"| {' | '.join(pages.HEAD)} |")
        self.assertEqual(two[2], '| a | 3 s, M | 1 | 1 | 1.0e-01 | 7 | ryser | 2 cores |')
        self.assertEqual(two[3], '| a | ? | 1 | 1 | - | 7 |  | H200 |')
        self.assertEqual(pages.published_text(figure, 'another paper'), '3 s, M (S)')

    def test_what_the_row_above_says_is_left_out(self):
        self.assertEqual(pages.shortened('n = 20, density 0.1, skipper', 'n = 20, density 0.1, ryser'), '..., skipper')
        self.assertEqual(pages.shortened('n = 24, density 0.1, ryser', 'n = 20, density 0.1, ryser'), 'n = 24, density 0.1, ryser')
        self.assertEqual(pages.shortened('n = 20', 'n = 20, density 0.1'), 'n = 20')
        self.assertEqual(pages.without_repeats('on', 'H200', 'H200'), '')
        self.assertEqual(pages.without_repeats('published', '-', '-'), '-')
        self.assertEqual(pages.without_repeats('answer', '7', '7'), '7')


class CommandLine(unittest.TestCase):
    def test_options(self):
        def reproduce(*arguments):
            return subprocess.run([sys.executable, str(TOP / 'scripts' / 'reproduce'), *arguments], capture_output=True, text=True, check=False)
        self.assertIn('scripts/reproduce [OPTIONS] [PAPER [TABLE]]', reproduce('--help').stdout)
        listed = reproduce('--list').stdout.splitlines()
        self.assertEqual(len(listed), len(papers.chosen()))
        self.assertTrue(any('missing: ' in line for line in listed))
        self.assertEqual(reproduce('--list', '--only', 'count-12', '--only', 'count-11').stdout.splitlines()[0].split(':')[0], 'permutations count/count-12')
        for wrong in (['nothing'], ['--only', '('], ['--merge', '/nonexistent']):
            self.assertEqual(reproduce(*wrong).returncode, 2, wrong)
        self.assertEqual(reproduce('--countpm', '/nonexistent').returncode, 2)


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--countpm', type=Path)
    options, rest = parser.parse_known_args()
    COUNTPM = options.countpm.absolute() if options.countpm else None
    unittest.main(argv=[sys.argv[0], *rest])
