#!/usr/bin/env python3
"""Tests of scripts/peers: the race's pages are what its JSON says, its encodings count what they should, and a tiny race agrees.

    python3 tests/bench/test_peers.py --countpm build/release/countpm
"""
import argparse
import itertools
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / 'bench' / 'peers'))

import encodings_of_matchings as encodings
import instances
import numbers_page
import packages
import pictures
import programs
import race
import render

COUNTPM = None


def perfect_matchings(data):
    """By trying each edge of the first vertex that is free."""
    neighbours = [[] for _ in range(data['vertices'])]
    for u, v in data['edges']:
        neighbours[u].append(v)
        neighbours[v].append(u)

    def count(free):
        if not free:
            return 1
        first = min(free)
        return sum(count(free - {first, other}) for other in neighbours[first] if other in free)
    return count(frozenset(range(data['vertices'])))


def models(clauses, variables):
    """By trying all assignments."""
    return sum(all(any((literal > 0) == assignment[abs(literal) - 1] for literal in clause) for clause in clauses)
               for assignment in itertools.product((False, True), repeat=variables))


def determinant(rows):
    """Bareiss: integers, no fraction."""
    rows, sign, before = [list(row) for row in rows], 1, 1
    for k in range(len(rows) - 1):
        if rows[k][k] == 0:
            other = next((i for i in range(k + 1, len(rows)) if rows[i][k]), None)
            if other is None:
                return 0
            rows[k], rows[other], sign = rows[other], rows[k], -sign
        for i in range(k + 1, len(rows)):
            for j in range(k + 1, len(rows)):
                rows[i][j] = (rows[i][j] * rows[k][k] - rows[i][k] * rows[k][j]) // before
        before = rows[k][k]
    return sign * rows[-1][-1]


SMALL = [instances.cycle(6)(), instances.square(2, 4)(), instances.king(3)(), instances.cubic(2)(), instances.graph(6, itertools.combinations(range(6), 2))]


class Instances(unittest.TestCase):
    def test_names_are_unique_and_every_family_has_its_small_ones_first(self):
        for group, several in instances.GROUPS.items():
            names = [instance.name for instance in several]
            self.assertEqual(len(names), len(set(names)), group)
            self.assertTrue(any(instance.tiny for instance in several), group)
            for family in {instance.family for instance in several}:
                kinds = [instance.tiny for instance in several if instance.family == family]
                self.assertEqual(kinds, sorted(kinds, reverse=True) if True in kinds[:1] else kinds, f'{group}: {family}')

    def test_they_are_the_same_every_time(self):
        for make in (instances.integers(5), instances.complexes(3), instances.regular3(10), instances.bipartite(6, 0.5), instances.random_graph(9, 12)):
            self.assertEqual(make(), make())

    def test_kasteleyns_matrices_count(self):
        for make in (instances.planar_square(4), instances.planar_square(6), instances.brick_colours(2), instances.brick_colours(3)):
            data = make()
            self.assertEqual(abs(determinant(data['kasteleyn'])), perfect_matchings(data))


    def test_matrices_of_proofs_are_what_is_proved(self):
        for instance in instances.GROUPS['proved']:
            self.assertTrue((TOP / 'data' / 'proofs' / f'{instance.proof}.json').exists(), instance.name)
        data = instances.of_proof('cube-4')()
        edges = [(u, v) for u in range(16) for v in range(u) if data['matrix'][u][v]]
        self.assertEqual(perfect_matchings(instances.graph(16, edges)), 272)
        self.assertEqual((len(instances.of_proof('rectangle-8x12')()['matrix']), len(instances.of_proof('rectangle-8x12')()['matrix'][0])), (8, 12))


class Encodings(unittest.TestCase):
    def test_models_are_perfect_matchings(self):
        for data in SMALL:
            for sequential in (False, True):
                clauses, variables = encodings.cnf(data, sequential)
                if variables <= 18:
                    self.assertEqual(models(clauses, variables), perfect_matchings(data))

    def test_carry_variables_are_determined_by_the_edges(self):
        data = instances.graph(6, itertools.combinations(range(6), 2))
        self.assertGreater(encodings.cnf(data, True)[1], encodings.cnf(data)[1])

    def test_orders_have_every_edge(self):
        for data in SMALL:
            self.assertEqual(sorted(encodings.cuthill_mckee(data)), list(range(len(data['edges']))))


class Judging(unittest.TestCase):
    def test_wrong_digits(self):
        self.assertEqual(race.wrong_digits(0, 17), 0)
        self.assertEqual(race.wrong_digits(1e-13, 33), 20)
        self.assertEqual(race.wrong_digits(3e-13, 33), 21)
        self.assertEqual(race.wrong_digits(1e-20, 17), 0)
        self.assertEqual(race.digits_of(race.exact_number('6728')), 4)
        self.assertEqual(race.digits_of(race.exact_number('1/3')), 16)

    def test_answers(self):
        exact = next(each for each in instances.GROUPS['permanents'])
        self.assertEqual(race.judged(exact, {}, '6728', '6728', False), {'error': 0.0, 'wrong_digits': 0})
        self.assertIn('wrong', race.judged(exact, {}, '6729', '6728', False))
        self.assertEqual(race.judged(exact, {}, '6728.0', '6728', False)['wrong_digits'], 0)
        self.assertEqual(race.judged(exact, {}, '6728.0553', '6728', False)['wrong_digits'], 0)  # 6728 and a part below 1
        self.assertEqual(race.judged(exact, {}, '67280553.0', '67280000', False)['wrong_digits'], 3)
        self.assertIn('wrong', race.judged(exact, {}, 'nan', '6728', False))
        self.assertEqual(race.judged(exact, {}, '(1.0,0.5)', '(1,1/2)', False)['error'], 0)
        self.assertTrue(race.judged(exact, {}, '7000', '6728', True)['approximate'])

    def test_what_is_printed_in_place_of_an_integer_is_kept(self):
        instance = next(each for each in instances.GROUPS['proved'] if each.name == 'board-6x6')
        data = {'matrix': [[1]]}
        self.assertEqual(race.judged(instance, data, '6728.0553', '6728', False)['printed'], '6728.0553')
        self.assertNotIn('printed', race.judged(instance, data, '6728.0', '6728', False))
        self.assertNotIn('printed', race.judged(instance, {'matrix': [[1.5]]}, '6728.0553', '6728', False))

    def test_answers_are_shortened(self):
        self.assertEqual(race.shortened('6728'), '6728')
        self.assertEqual(race.shortened('1/3'), '0.33333333333333331')
        self.assertEqual(race.shortened('(1/3,-2)'), '(0.333333, -2)')
        self.assertEqual(race.shortened('1' * 40), '11111111...111111 (40 digits)')

    def test_samples_must_be_perfect_matchings(self):
        data = instances.cycle(4)()
        self.assertIsNone(race.check_samples([[[0, 1], [2, 3]]], data))
        self.assertIsNotNone(race.check_samples([[[0, 2], [1, 3]]], data))
        self.assertIsNotNone(race.check_samples([[[0, 1]]], data))


def made_up_group(times):
    """A group with one row in which the programs took so long; None: over the limit."""
    runs = {name: {'status': 'limit', 'more_than': 20} if value is None else
            {'status': 'ok', 'cpu': [value], 'wall': [value], 'calls': 1, 'error': 1e-3 if name == 'walrus' else 0.0,
             'wrong_digits': 2 if name == 'walrus' else 0, 'cpu_median': value, 'wall_median': value} for name, value in times.items()}
    row = {'instance': 'integers-8', 'family': '1 to 9', 'problem': 'permanent', 'about': '8 x 8', 'answer': '12345', 'digits': 5, 'date': '2026-01-01',
           'load': [0.5, 0.5], 'limit': 20, 'runs': runs}
    return {'format': race.FORMAT, 'group': 'permanents', 'title': 'Permanents', 'countpm': 'countpm 0', 'commit': 'x', 'threads': 1, 'turns': 1,
            'machine': {'cpu': 'a processor', 'cores': 2, 'memory_gib': 1, 'system': 'Linux', 'python': '3'}, 'versions': {'sympy': '1'},
            'missing': {'nothing': 'a reason'}, 'rows': [row],
            'programs': {name: {'package': each.package, 'exact': each.exact, 'note': each.note} for name, each in programs.PROGRAMS.items() if name in times}}


class Rendering(unittest.TestCase):
    def test_pages_and_pictures_are_what_the_json_says(self):
        self.assertEqual(render.differences(render.rendered(TOP / 'bench' / 'results' / 'peers')), [])

    def test_who_is_ahead(self):
        ahead = made_up_group({'countpm': 0.005, 'countpm-module': 0.001, 'sympy': 0.01, 'flint': None})
        page = render.page([ahead])
        self.assertIn('| integers-8 | 12345 | 0.005 | 0.001 | sympy 0.01 | 2 | 10 |', page)
        self.assertIn('flint > 20', page)
        self.assertIn('Nowhere of the module', page)
        self.assertIn('- nothing: a reason', page)
        self.assertIn('no other program needs less CPU time', render.slower_page([ahead]))
        behind = made_up_group({'countpm': 0.005, 'countpm-module': 0.001, 'walrus': 0.0005, 'sympy': 0.01})
        page = render.page([behind])
        self.assertIn('walrus 0.0005 (2 of 5 digits wrong) | 0.1 | 0.5 |', page)
        slower = render.slower_page([behind])
        self.assertIn(f"| Permanents | 1 to 9 | integers-8 | walrus 0.0005 | 0.001 | {render.reason('permanents', '1 to 9')} |", slower)
        self.assertIn('| Permanents | 1 to 9 | integers-8 | walrus 0.0005 | 0.005 |', slower)
        self.assertIn('ahead of it on 1 instances', slower)
        # Two families of one question, for one reason: said once.
        both = made_up_group({'countpm': 0.005, 'countpm-module': 0.001, 'walrus': 0.0005})
        both['rows'].append({**both['rows'][0], 'family': 'rectangular', 'instance': 'rectangular-4x8'})
        self.assertIn('|  | rectangular | rectangular-4x8 | walrus 0.0005 | 0.001 |  |', render.slower_page([both]))

    def test_each_family_in_which_another_program_is_faster_has_a_reason(self):
        _, module = render.behind(render.read(TOP / 'bench' / 'results' / 'peers'))
        for group, title, family in render.families(module):
            self.assertTrue(render.reason(group, family), f'{title}: {family}')

    def test_known_counts_are_beyond_doubles_and_countpm_has_them(self):
        rows = numbers_page.known_counts()
        self.assertGreaterEqual(len(rows), 14)
        for row in rows:
            self.assertGreater(int(row['count']), 2 ** 53)
        self.assertEqual(numbers_page.difference(2 ** 53 + 1), '-1')
        self.assertEqual(numbers_page.published('west0067'), 'SUperman')
        if COUNTPM is None:
            return
        for row in rows:
            path = instances.SHARED / 'matrices' / f"{row['matrix']}.mtx"
            if path.exists() and int(row['rows']) < 70:
                self.assertEqual(subprocess.run([COUNTPM, path, '-q'], capture_output=True, text=True, check=True).stdout.strip(), row['count'], row['matrix'])

    def test_what_others_printed_is_on_the_page_of_numbers(self):
        group = {'title': 'Hafnians', 'rows': [{'about': '6 x 6 board', 'exact': '6728', 'proof': 'matching-polynomial-6x6', 'runs': {
            'countpm': {'status': 'ok'}, 'piquasso': {'status': 'ok', 'printed': '(6728.0553,0.0)'}}}]}
        self.assertIn('| hafnians: 6 x 6 board | 6728 | `matching-polynomial-6x6` | piquasso 6728.0553 |', numbers_page.page([group]))
        self.assertNotIn('## What programs printed', numbers_page.page([]))

    def test_pictures_have_both_colours_and_are_whole(self):
        import xml.dom.minidom

        groups = [made_up_group({'countpm': 0.005, 'countpm-module': 0.001, 'sympy': 0.01, 'flint': None})]
        for text in (pictures.bars(groups), pictures.ratios(groups)):
            xml.dom.minidom.parseString(text)
            self.assertIn('prefers-color-scheme: dark', text)
        self.assertIn('over 20 s', pictures.bars(groups))


class TinyRace(unittest.TestCase):
    """With what this Python imports, but for packages that compile for a minute first."""

    def test_answers_agree(self):
        if COUNTPM is None:
            self.skipTest('no --countpm')
        slow = {'thewalrus', 'piquasso', 'quimb', 'cotengra', 'passagemath-graphs', 'passagemath-modules', 'sympy'}
        found = packages.importable()
        names = {name for name, each in programs.PROGRAMS.items() if each.package not in slow}
        with tempfile.TemporaryDirectory() as folder:
            setting = race.Setting(sys.executable, COUNTPM, None, Path(folder) / 'race', found, 10, 1, 1, 4 * 2 ** 30)
            setting.repeat = 0
            groups = ['permanents', 'sparse', 'planar', 'polynomials', 'marginals', 'maximum', 'samples', 'proved']
            race.run(groups, setting, Path(folder) / 'results', tiny=True, names=names)
            for group in groups:
                result = json.loads((Path(folder) / 'results' / f'{group}.json').read_text(encoding='utf-8'))
                self.assertEqual(result['format'], race.FORMAT)
                self.assertEqual([row['instance'] for row in result['rows']], [each.name for each in instances.GROUPS[group] if each.tiny])
                for row in result['rows']:
                    ours = row['runs']['countpm']
                    self.assertEqual((ours['status'], ours.get('wrong')), ('ok', None), f"{group}/{row['instance']}: {ours}")
                    for name, run in row['runs'].items():
                        self.assertIsNone(run.get('wrong'), f"{group}/{row['instance']}: {name}")
            before = (Path(folder) / 'results' / 'samples.json').read_bytes()
            race.run(['samples'], setting, Path(folder) / 'results', tiny=True, names=names)
            self.assertEqual(before, (Path(folder) / 'results' / 'samples.json').read_bytes())  # kept, not measured again
            self.assertEqual(len(render.read(Path(folder) / 'results')), len(groups))

    def test_what_takes_too_long_is_ended(self):
        if COUNTPM is None:
            self.skipTest('no --countpm')
        with tempfile.TemporaryDirectory() as folder:
            endless = Path(folder) / 'endless'
            endless.write_text('#!/bin/sh\nif [ "$1" = version ]; then echo countpm 0; exit; fi\nwhile :; do :; done\n', encoding='ascii')
            endless.chmod(0o755)
            setting = race.Setting(sys.executable, endless, None, folder, {'versions': {}, 'missing': {}, 'paths': {}}, 0.2, 1, 1, 2 ** 30)
            race.small_ones(setting)
            Path(folder, 'small.json').write_text('{}', encoding='ascii')
            data = instances.cycle(4)()
            instance = instances.Instance('f', 'four', 'perfect matchings', None, '')
            given_up = {}
            worker = race.Worker('countpm', setting)
            runs = race.race_on(instance, data, race.described(instance, data, setting, 'four'), '2', ['countpm'], {'countpm': worker}, setting, given_up)
            worker.end()
            self.assertEqual(runs, {'countpm': {'status': 'limit', 'more_than': 0.2}})
            self.assertEqual(given_up, {('countpm', 'f'): 'over the limit on four'})
            self.assertNotIn(str(endless), subprocess.run(['ps', '-eo', 'args'], capture_output=True, text=True, check=True).stdout)  # nor does it go on


class CommandLine(unittest.TestCase):
    def run_peers(self, *arguments):
        return subprocess.run([sys.executable, str(TOP / 'scripts' / 'peers'), *arguments], capture_output=True, text=True, check=False)

    def test_options(self):
        self.assertIn('scripts/peers [OPTIONS]', self.run_peers('--help').stdout)
        self.assertIn("king's graph, 4 x 4", self.run_peers('--list', '--group', 'sparse').stdout)
        for wrong in (['nothing'], ['--group', 'nothing', 'run'], ['run', '--countpm', '/nonexistent']):
            self.assertEqual(self.run_peers(*wrong).returncode, 2, wrong)


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--countpm', type=Path)
    options, rest = parser.parse_known_args()
    COUNTPM = options.countpm.absolute() if options.countpm else None
    unittest.main(argv=[sys.argv[0], *rest])
