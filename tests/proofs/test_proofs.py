"""Proofs are accepted, and nothing else, by tools/check_proof.py and by the checker in C++ alike.

test_proofs.py [--trials N] [--checker PROGRAM] [--countpm PROGRAM] [--seed S]: N forgeries; build/*/tests/check_proofs and build/*/countpm are the programs, left out: Python alone."""
import argparse
import base64
import collections
import contextlib
import importlib.util
import io
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))

import forgeries
import graph_files
import hostile
import planar_reference
import reference_prover
from instances import instance

CHECKER = ROOT / "tools" / "check_proof.py"
FORGERIES_AT_A_TIME = 60
options = argparse.Namespace(trials=60, checker=None, countpm=None, seed=1)


def load_checker():
    spec = importlib.util.spec_from_file_location("check_proof", CHECKER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


check_proof = load_checker()
if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)


class Checkers:
    """Both, as one: they must agree. That in C++ runs on beside the other one, so that it has many texts at a time."""

    def __init__(self):
        self.program = options.checker and subprocess.Popen([options.checker], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def verdict(self, text):
        """"proved: N", or "refused"."""
        return self.verdicts([text])[0]

    def verdicts(self, texts):
        contents = [text.encode("utf-8", "surrogatepass") for text in texts]
        sender = self.program and threading.Thread(target=self.send, args=(contents,))  # answers are read while it waits
        if sender:
            sender.start()
        found = [self.python_says(content) for content in contents]
        for text, (python, words) in zip(texts, found) if sender else ():
            answer = self.program.stdout.readline().decode().rstrip("\n")
            if python != (answer if answer.startswith("proved") else answer.split(":")[0]):
                raise AssertionError(f"they differ: Python says {words!r}, C++ says {answer!r}, of {text[:2000]}")
        if sender:
            sender.join()
        return [python for python, _ in found]

    def send(self, contents):
        for content in contents:
            self.program.stdin.write(b"%d\n" % len(content) + content)
        self.program.stdin.flush()

    @staticmethod
    def python_says(content):
        """The verdict, and the words; of a file that is in memory."""
        check_proof.open = lambda path, encoding: io.TextIOWrapper(io.BytesIO(content), encoding=encoding)
        output = io.StringIO()
        try:
            with contextlib.redirect_stdout(output):
                code = check_proof.main(["proof.json"])
        finally:
            del check_proof.open
        words = output.getvalue().split("\n")[0]  # behind it stands what N is of
        python = words if code == 0 else words.split(":")[0]
        if code not in (0, 1) or code != ("refused" == python):
            raise AssertionError(f"check_proof.py ends with {code}: {words}")
        return python, words

    def close(self):
        if self.program:
            self.program.stdin.close()
            self.program.wait()
            self.program.stdout.close()


class Proofs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.checkers = Checkers()

    @classmethod
    def tearDownClass(cls):
        cls.checkers.close()

    def setUp(self):
        self.rng = random.Random(options.seed)

    def proof(self):
        """One whose rounds depend on challenges: those of a single edge, or of 0 ways, prove other true statements, too."""
        while True:
            graph, order, keys = instance(self.rng)
            proof = {**reference_prover.prove(graph, order), **keys}
            if any(base64.b64decode(sent)[k:k + 8] != bytes(8) for sent in proof["rounds"] for k in range(0, len(sent) // 4 * 3 - 8, 16)):
                return proof

    def accept(self, proof):
        self.assertEqual(self.checkers.verdict(json.dumps(proof)), "proved: " + proof["count"], proof)

    def refuse(self, what, text):
        self.assertEqual(self.checkers.verdict(text), "refused", f"{what}: {text[:2000]}")

    def test_right_counts_are_accepted(self):
        for _ in range(options.trials):
            graph, order, keys = instance(self.rng)
            self.accept({**reference_prover.prove(graph, order), **keys})

    def test_a_prover_that_keeps_to_the_protocol_cannot_prove_a_wrong_count(self):
        for _ in range(options.trials // 3):
            graph, order, _ = instance(self.rng)
            count = reference_prover.count_of(graph)
            wrong = self.rng.choice([c for c in (count + "+1*z", "1", "0", "-1", "1/2", str(2**64)) if c != count])
            self.refuse("wrong count", json.dumps(reference_prover.prove(graph, order, wrong)))

    def test_forgeries_are_refused(self):
        """Several of a new proof and of those before, which are many with many trials."""
        others = [self.proof() for _ in range(20)]
        accepted = done = 0
        while done < options.trials:
            size = min(FORGERIES_AT_A_TIME, options.trials - done)
            others.append(self.proof())
            proofs = [others[-1]] * (size // 3) + self.rng.choices(others, k=size - size // 3)
            forged = [forgeries.one(proof, self.rng, others) for proof in proofs]
            for (what, text), verdict in zip(forged, self.checkers.verdicts([text for _, text in forged])):
                if verdict != "refused":  # a true statement: without edges, in another order, the rounds can be the same
                    accepted += 1
                    self.assertEqual(verdict, "proved: " + reference_prover.count_of(json.loads(text)), f"{what}: {text[:2000]}")
            done += size
            if options.trials >= 1000 and done % (10 * FORGERIES_AT_A_TIME) == 0:
                print(f"{done} forgeries", file=sys.stderr, flush=True)
        self.assertLessEqual(accepted, 2 + options.trials // 1000)

    def test_every_number_counts(self):
        for _ in range(max(5, options.trials // 60)):
            for what, text in forgeries.every_number(self.proof()):
                self.refuse(what, text)

    def test_the_format_is_strict(self):
        for _ in range(max(5, options.trials // 60)):
            proof = self.proof()
            for what, text in forgeries.texts(proof, self.rng):
                self.refuse(what, text)

    def test_statements_in_another_form_are_refused(self):
        """All is right in these proofs but how the statement is written, so that its hash is what the prover took."""
        path = [[0, 1], [1, 2]]
        right = {"vertices": 3, "edges": path, "monomers": ["1"] * 3}
        self.accept(reference_prover.prove(right, [1, 0, 2], as_given=True))
        for changed in ({"edges": path[::-1]}, {"edges": [[0, 1], [0, 1], [1, 2]]}, {"edges": [[1, 0], [1, 2]]}, {"edges": [[0, 1, "0"], [1, 2]]},
                        {"edges": [[0, 1], [0, 1, 2]]}, {"edges": [[0], [1, 2]]}, {"sets": [[0, 1]]}, {"sets": [[0, 1, 2], [0, 1, 2]]},
                        {"sets": [[2, 1, 0]]}, {"sets": [[0]]}, {"edges": [[0, 1, "2/4"], [1, 2]]}, {"edges": [[0, 1, "3/1"], [1, 2]]},
                        {"edges": [[0, 1, "03"], [1, 2]]}, {"edges": [[0, 1, "0.5"], [1, 2]]},
                        {"edges": [[0, 1, "1*y*x"], [1, 2]]}, {"edges": [[0, 1, "1*x*x"], [1, 2]]}, {"edges": [[0, 1, "1*x^1"], [1, 2]]},
                        {"edges": [[0, 1, "1*x^0"], [1, 2]]}, {"edges": [[0, 1, "1*x^02"], [1, 2]]}, {"edges": [[0, 1, "1+1*x"], [1, 2]]},
                        {"edges": [[0, 1, "2/4*x"], [1, 2]]}, {"monomers": ["1", "1", "1+1*x"]}, {"monomers": ["1", "1", "-0"]},
                        {"monomers": ["1", "1", "0/1"]}, {"monomers": ["1", "1", "1", "1"]}):
            graph = {**right, **changed}
            order = [1, 0, 2]
            graph["monomers"], count = graph["monomers"], reference_prover.count_of(graph)
            self.refuse(changed, json.dumps(reference_prover.prove(graph, order, count, as_given=True)))
        for count in ("6/2", "3/1", "03", "3.0", "2+1", "3+1*x+-1*x", "3+0"):  # 3, written otherwise
            self.refuse(count, json.dumps(reference_prover.prove(right, [1, 0, 2], count)))
        both = {"vertices": 3, "edges": [[0, 1, "1*x"], [1, 2, "1*y"]], "monomers": ["1"] * 3}
        self.accept(reference_prover.prove(both, [1, 0, 2], "1*y+1+1*x"))
        for count in ("1+1*x+1/2*y+1/2*y", "1+1*x^1+1*y", "1+2/2*x+1*y", "1+1*x+1*y+0*x"):
            self.refuse(count, json.dumps(reference_prover.prove(both, [1, 0, 2], count)))
        text = json.dumps(reference_prover.prove(right, [0, 1, 2]))
        for number in ("-0", "0.0", "0e0", "false", "00"):
            self.refuse(number, text.replace('"edges": [[0,', f'"edges": [[{number},'))
            self.refuse(number, text.replace('"order": [0,', f'"order": [{number},'))
        self.refuse("format", text.replace("countpm-proof 2", "countpm-proof 2 "))
        self.refuse("form", text[:-1] + ', "planar": {}}')
        self.refuse("form", text[:-1] + ', "planar": null}')

    def test_a_byte_changed_anywhere_is_refused_or_changes_nothing(self):
        for _ in range(max(3, options.trials // 100)):
            proof = self.proof()
            text = json.dumps({**proof, "program": "x", "input": {"name": "graph é", "bytes": 1.5e3}})
            for _ in range(200):
                k = self.rng.randrange(len(text))
                forged = text[:k] + chr(self.rng.choice([0, 9, 32, 34, 44, 45, 48, 49, 57, 91, 92, 93, 97, 123, 125, 127, 233])) + text[k + 1:]
                if self.checkers.verdict(forged) != "refused":
                    same = json.loads(forged)
                    for key in proof:
                        if key not in ("rows", "labels"):
                            self.assertEqual(same.get(key), proof[key], forged)

    def test_what_is_allowed(self):
        proof = reference_prover.prove({"vertices": 4, "edges": [[0, 1], [1, 2], [2, 3], [0, 3]]}, [0, 1, 2, 3])
        text = json.dumps(proof)
        for allowed in (json.dumps(proof, indent=2).replace("\n", "\r\n\t"), text + "\n", " " + text,
                        json.dumps({**proof, "edges": [e + ["1"] for e in proof["edges"]]}),
                        json.dumps({**proof, "monomers": ["0"] * 4}), json.dumps({**proof, "sets": []}),
                        json.dumps({**proof, "labels": 7, "rows": "x", "input": [None, True, {"\ud800": "\ud83d\ude00"}], "é": "é"}),
                        text[:-1] + ', "input": [1e999, -0, 1.5E+3, 12345678901234567890, "\\ud800\\u0041 \\/ é"]}',
                        text.replace('"count"', '"\\u0063ount"'), text.replace('"format"', '"\\u0066ormat"'),
                        text.replace('"countpm-proof 2"', '"countpm\\u002dproof \\u0032"')):
            self.assertEqual(self.checkers.verdict(allowed), "proved: 2", allowed)
            if options.countpm:
                with tempfile.TemporaryDirectory() as folder:
                    file = pathlib.Path(folder) / "p.json"
                    file.write_text(allowed, encoding="utf-8")
                    done = subprocess.run([options.countpm, "verify", file], capture_output=True, text=True)
                    self.assertIn("proved: 2\n", done.stdout, allowed + done.stderr)

    def test_how_deep_values_are(self):
        """The object has depth 0, and no value a depth beyond 32, whatever it is a value of."""
        text = json.dumps(reference_prover.prove({"vertices": 2, "edges": [[0, 1]]}, [0, 1]))

        def with_input(value):
            return text[:-1] + f', "input": {value}' + "}"
        for deepest, inner, outer in (("7", "[", "]"), ('"x"', '{"a": ', "}"), ("[]", "[", "]"), ("{}", '{"b": ', "}"), ("null", "[true, ", ", 1]")):
            # The deepest value is that of "input", at depth 1, and one more for every pair around it.
            self.assertEqual(self.checkers.verdict(with_input(inner * 31 + deepest + outer * 31)), "proved: 1")
            for depth in (32, 33, 500, 5000, 100000):
                self.refuse(f"{depth} deep", with_input(inner * depth + deepest + outer * depth))
        self.refuse("deep", "[" * 100000)
        self.refuse("deep", '{"a":' * 100000)

    def test_planar_proofs(self):
        accepted = 0
        for _ in range(options.trials):
            weights = self.rng.choice([["1"], ["1", "2", "5"], ["1", "1/2", "7/3"]])
            graph, positions, order = planar_reference.planar_instance(self.rng, self.rng.randint(1, 3), self.rng.randint(1, 4), weights)
            proof = planar_reference.prove_planar(graph, positions, order)
            if proof is None:
                continue
            accepted += 1
            self.accept(proof)
            if accepted % 20 == 1:
                for what, text in forgeries.every_number(proof):
                    verdict = self.checkers.verdict(text)  # another statement may be true: no challenge ties the order to the embedding
                    if verdict != "refused":
                        self.assertEqual(verdict, "proved: " + reference_prover.count_of(json.loads(text)), f"{what}: {text}")
                for what, text in forgeries.texts(proof, self.rng):
                    self.refuse(what, text)
        self.assertGreater(accepted, options.trials // 10)

    def test_the_planar_form_is_strict(self):
        graph = {"vertices": 6, "edges": [[0, 1], [0, 3], [1, 2], [1, 4], [2, 5], [3, 4], [4, 5]]}
        positions = {v: (v % 3, v // 3) for v in range(6)}
        proof = planar_reference.prove_planar(graph, positions, [0, 1, 2, 3, 4, 5])
        self.accept(proof)
        self.assertEqual(proof["count"], "3")
        rotation, digits = proof["planar"]["rotation"], proof["planar"]["orientation"]
        for planar in (None, [], {}, {"rotation": rotation}, {"orientation": digits}, {"rotation": rotation, "orientation": None},
                       {"rotation": rotation, "orientation": list(digits)}, {"rotation": rotation, "orientation": digits[:-1]},
                       {"rotation": rotation, "orientation": digits + "0"}, {"rotation": rotation, "orientation": digits.replace("1", "2")},
                       {"rotation": rotation, "orientation": digits.replace("1", "١")}, {"rotation": rotation[:-1], "orientation": digits},
                       {"rotation": rotation + [[]], "orientation": digits}, {"rotation": [rotation[0] * 2] + rotation[1:], "orientation": digits},
                       {"rotation": [rotation[0][:1]] + rotation[1:], "orientation": digits},
                       {"rotation": [[rotation[0][0]] * 2] + rotation[1:], "orientation": digits},
                       {"rotation": [rotation[0] + [0]] + rotation[1:], "orientation": digits},
                       {"rotation": [[1.0, 3]] + rotation[1:], "orientation": digits}, {"rotation": [[True, 3]] + rotation[1:], "orientation": digits},
                       {"rotation": [["1", 3]] + rotation[1:], "orientation": digits}, {"rotation": [1] + rotation[1:], "orientation": digits},
                       {"rotation": [[[1], 3]] + rotation[1:], "orientation": digits}, {"rotation": [[6, 3]] + rotation[1:], "orientation": digits},
                       {"rotation": [[-1, 3]] + rotation[1:], "orientation": digits}):
            self.refuse(planar, json.dumps({**proof, "planar": planar}))
        for count in ("-3", "2", "4", "0", str(3 + reference_prover.prime_of(reference_prover.hash_of(proof)))):
            self.refuse(count, json.dumps({**proof, "count": count}))
        self.assertEqual(self.checkers.verdict(json.dumps({**proof, "planar": {**proof["planar"], "other": 1}})), "proved: 3")

    def test_graphs_that_are_not_plane_and_orientations_that_are_even_are_refused(self):
        # K(3,3): 9 edges, whatever its rotation. With 3 faces it lies on a torus; every orientation has the wrong Pfaffian or an even face.
        edges = [[u, v] for u in range(3) for v in range(3, 6)]
        for _ in range(options.trials):
            rotation = [self.rng.sample(range(3, 6) if v < 3 else range(3), 3) for v in range(6)]
            digits = "".join(self.rng.choice("01") for _ in edges)
            for count in ("6", "2", "4", "0"):
                proof = {"format": "countpm-proof 2", "vertices": 6, "edges": edges, "order": list(range(6)), "count": count}
                self.refuse("K(3,3)", json.dumps({**proof, "planar": {"rotation": rotation, "orientation": digits}}))
        # A square with all edges oriented around: its two faces have 4 and 0 darts along.
        square = {"format": "countpm-proof 2", "vertices": 4, "edges": [[0, 1], [0, 3], [1, 2], [2, 3]], "order": [0, 1, 2, 3], "count": "0",
                  "planar": {"rotation": [[1, 3], [0, 2], [1, 3], [0, 2]], "orientation": "0100"}}
        self.refuse("even", json.dumps(square))

    def test_planar_proofs_need_weights_that_are_not_negative(self):
        for weight in ("-1", "1*x"):
            graph = {"vertices": 2, "edges": [[0, 1, weight]]}
            self.refuse(weight, json.dumps(planar_reference.prove_planar(graph, [(0, 0), (1, 0)], [0, 1])))
            proof = planar_reference.prove_planar({"vertices": 2, "edges": [[0, 1]]}, [(0, 0), (1, 0)], [0, 1])
            self.accept(proof)
            self.refuse("monomers", json.dumps({**proof, "monomers": ["0", "1"]}))

    def test_the_example_of_the_format(self):
        page = (ROOT / "docs" / "internals" / "proof-format.md").read_text(encoding="utf-8")
        example = json.loads(page.split("```json\n")[1].split("```")[0])
        self.accept(example)
        h = reference_prover.hash_of(example)
        self.assertIn(f"h is {h.hex()} and p is {reference_prover.prime_of(h)}.", page)
        self.assertEqual(reference_prover.prove(example, example["order"], "5/2")["rounds"], example["rounds"])

    def test_many_digits(self):
        digits = "7" * 100000
        graph = {"vertices": 2, "edges": [[0, 1, digits]]}
        self.accept(reference_prover.prove(graph, [1, 0]))
        self.refuse("too many digits", json.dumps(reference_prover.prove({"vertices": 2, "edges": [[0, 1, digits + "7"]]}, [1, 0])))

    def test_it_runs_by_itself(self):
        """In an empty environment, without this folder; and what it prints."""
        proof = reference_prover.prove({"vertices": 2, "edges": [[0, 1, "3/2"]]}, [0, 1])
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "p.json"
            file.write_text(json.dumps(proof))

            def run(*arguments):
                done = subprocess.run([sys.executable, "-I", "-S", str(CHECKER), *map(str, arguments)], env={}, cwd=folder,
                                      capture_output=True, text=True)
                return done.returncode, done.stdout

            self.assertEqual(run(file), (0, "proved: 3/2\nof 2 vertices and 1 edges, weights\n"))
            file.write_text(json.dumps({**proof, "count": "5/2"}))
            self.assertEqual(run(file), (1, "refused: a table does not agree with the next one\n"))
            graph = pathlib.Path(folder) / "p.edges"
            graph.write_text("1 2 1.5\n")
            file.write_text(json.dumps(proof))
            self.assertEqual(run(file, graph), (0, f"proved: 3/2\nof 2 vertices and 1 edges, weights; compared with {graph} (an edge list)\n"))
            self.assertEqual(run()[0], 2)
            self.assertEqual(run(file, file, file)[0], 2)
            self.assertEqual(run("missing.json")[0], 2)

    def test_what_deceives_fermat_is_no_prime(self):
        carmichael = 2655729050641 * 5311458101281 * 7967187151921  # passes Fermat's test for every base without a common divisor
        self.assertTrue(all(pow(a, carmichael - 1, carmichael) == 1 for a in (2, 3, 5, 7, 11, 13, 17, 19)))
        draw, check_proof.draw = check_proof.draw, lambda h, word: (carmichael - 2**126) << 128
        try:
            found = check_proof.prime_of(b"")
        finally:
            check_proof.draw = draw
        self.assertNotEqual(found, carmichael)
        self.assertEqual(found, next(p for p in range(carmichael, 2**127) if reference_prover.is_prime(p)))

    def test_rows_beyond_the_vertices_make_no_matrix(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "p.json"
            for rows, words in ((-5, "0 vertices and 0 edges"), (99, "0 vertices and 0 edges"), (0, "a 0 x 0 matrix with 0 entries")):
                file.write_text(json.dumps({"format": "countpm-proof 2", "vertices": 0, "edges": [], "order": [], "count": "1", "rounds": [], "rows": rows}))
                self.assertEqual(check_proof.check(file), ("1", words))

    def test_it_is_short(self):
        lines = CHECKER.read_text().splitlines()
        self.assertLessEqual(len(lines), 150)
        self.assertLessEqual(max(map(len, lines)), 120)


def python_says(*paths):
    """What check_proof.py prints; "2: " is in front where that is its exit code, neither proved nor refused."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        code = check_proof.main([str(path) for path in paths])
    words = output.getvalue().strip()
    return words if words.split(":")[0] == ("proved", "refused", "")[code] else f"{code}: {words}"


class Program(unittest.TestCase):
    """What countpm proves, of graphs of all kinds: the graph is the one of the file, and the count is right."""

    PROGRAM_KINDS = {  # options, whether there are two sides, weights
        "undirected": ([], False, ("", "integers", "fractions", "decimals", "letters")),
        "directed": (["--kind", "directed"], False, ("", "integers", "fractions", "decimals", "letters")),
        "bipartite": (["--kind", "bipartite"], True, ("", "integers", "fractions", "decimals", "letters")),
        "rectangle": (["--kind", "bipartite", "--maximum"], True, ("", "integers", "fractions")),
        "maximum": (["--maximum"], False, ("", "integers")),
        "monomers": (["--monomers", "1"], False, ("", "integers", "fractions", "decimals")),
        "weighted monomers": (["--monomers=-2/3"], False, ("", "integers", "fractions")),
        "matching polynomial": (["--monomers", "t"], False, ("",)),
        "rings": (["--rings", "3,5"], False, ("", "integers")),
        "weighted rings": (["--rings", "4", "--ring-weight", "2"], False, ("", "integers")),
    }
    WEIGHTS_OF_FILES = {"": [""], "integers": ["1", "-1", "7", "-3"], "fractions": ["1/2", "-2/3", "5"], "decimals": ["0.5", "-1.25", "2e-3"],
                        "letters": ["1*x", "-2*y^-2", "3/2"]}
    EXACT = {"0.5": "1/2", "-1.25": "-5/4", "2e-3": "1/500"}

    def setUp(self):
        if not options.countpm:
            self.skipTest("--countpm names no program")

    def question(self, rng):
        kind = rng.choice(list(self.PROGRAM_KINDS))
        arguments, sides, known = self.PROGRAM_KINDS[kind]
        weights = rng.choice(known)
        n, m, density = rng.randint(2, 8), rng.randint(2, 6), rng.choice([0.3, 0.5, 0.8, 1])
        tails = [f"r{u}" for u in range(min(n, 6))] if sides else [f"v{u}" for u in range(n if kind != "directed" else min(n, 6))]
        heads = [f"c{v}" for v in range(m)] if sides else tails
        pairs = [(u, v) for u in tails for v in heads if sides or kind == "directed" or u < v]
        arcs = {pair: rng.choice(self.WEIGHTS_OF_FILES[weights]) for pair in pairs if rng.random() < density} or {pairs[-1]: self.WEIGHTS_OF_FILES[weights][0]}
        text = "".join(f"{u} {v} {weight}\n".replace(" \n", "\n") for (u, v), weight in arcs.items())
        return kind, text, arcs, [*arguments, *(["--weights", "--exact"] if weights else [])]

    def test_all_that_it_proves_is_right(self):
        rng, checkers = random.Random(options.seed), Checkers()
        self.addCleanup(checkers.close)
        proved = collections.Counter()
        with tempfile.TemporaryDirectory() as folder:
            graph, file = pathlib.Path(folder) / "graph.edges", pathlib.Path(folder) / "p.json"
            for _ in range(options.trials):
                kind, text, arcs, arguments = self.question(rng)
                graph.write_text(text)
                done = subprocess.run([options.countpm, graph, "--first-line", "edge", "--proof", file, "--overwrite", "-j", "1", *arguments], capture_output=True, text=True)
                where = f"{arguments}\n{text}{done.stderr}"
                if done.returncode == 3 and "there is no proof of this: the maximum matchings" in done.stderr:  # those that leave vertices free on both sides have no proof
                    continue
                self.assertEqual(done.returncode, 0, where)
                written = file.read_text()
                proof = json.loads(written)
                self.assertEqual(checkers.verdict(written), "proved: " + proof["count"], where)
                self.assertEqual(reference_prover.polynomial(proof["count"]), reference_prover.polynomial(reference_prover.count_of(proof)), where)
                if kind not in ("matching polynomial", "rings") and "--weights" not in arguments:  # polynomials are tables of coefficients
                    self.assertEqual(done.stdout.split()[0], proof["count"], where)
                names = proof["labels"]
                found = {(names[e[0]], names[e[1]]): e[2] if len(e) > 2 else "1" for e in proof["edges"]}
                one_way = kind in ("directed", "bipartite", "rectangle")
                wanted = {pair if one_way else tuple(sorted(pair)): self.EXACT.get(weight, weight or "1") for pair, weight in arcs.items()}
                self.assertEqual(found if one_way else {tuple(sorted(pair)): weight for pair, weight in found.items()}, wanted, where)
                proved[kind] += 1
        if options.trials >= 100:
            self.assertEqual(set(proved), set(self.PROGRAM_KINDS))
        print(f"proved: {dict(proved)}", file=sys.stderr)


class Graphs(unittest.TestCase):
    """The graph's own file."""

    def compared(self, proof, file, ending=None):
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder) / name for name in ("p.json", "graph" + (ending or (".mtx" if file.startswith("%%") else ".edges")))]
            paths[0].write_text(json.dumps(proof))
            paths[1].write_bytes(file.encode())
            verdict = python_says(*paths)
            if options.countpm:
                done = subprocess.run([options.countpm, "verify", *paths], capture_output=True, text=True, errors="replace")
                self.assertEqual(done.returncode == 0, verdict.startswith("proved"), verdict + done.stdout + done.stderr)
        return "same" if verdict.startswith("proved") else verdict

    def test_edge_lists(self):
        path = reference_prover.prove({"vertices": 3, "edges": [[0, 1], [1, 2]], "monomers": ["1"] * 3}, [1, 0, 2])
        path["labels"] = ["a", "b", "c"]
        self.assertEqual(self.compared(path, "a b\nb c\n"), "same")
        self.assertEqual(self.compared(path, "# a comment\n% another\n\nc b 7 # a value that does not count\nb a\n"), "same")
        self.assertEqual(self.compared(path, "a b\nb a\nb c\nc b\n"), "same")
        self.assertIn("another graph", self.compared(path, "a b\nb c\na c\n"))
        self.assertIn("another graph", self.compared(path, "a b\nb c\n".replace("b c", "a c")))
        self.assertIn("no vertex", self.compared(path, "a b\nb d\n"))
        self.assertIn("fewer vertices", self.compared(path, "a b\n"))
        self.assertIn("another graph", self.compared(path, "a b\nb c 0\n"))
        self.assertIn("refused", self.compared({**path, "labels": ["a", "b", "b"]}, "a b\nb c\n"))
        self.assertIn("refused", self.compared({**path, "labels": ["a", "b"]}, "a b\nb c\n"))

    def test_weights(self):
        weighted = reference_prover.prove({"vertices": 2, "edges": [[0, 1, "1/2"]]}, [0, 1])
        self.assertEqual(self.compared(weighted, "1 2 0.5\n"), "same")
        self.assertEqual(self.compared(weighted, "2 1 1/2\n"), "same")
        self.assertIn("another graph", self.compared(weighted, "1 2 0.25\n"))
        self.assertIn("another graph", self.compared(weighted, "1 2\n"))

    def test_matrices(self):
        matrix = reference_prover.prove({"vertices": 4, "edges": [[0, 2], [0, 3], [1, 2]]}, [0, 1, 2, 3])
        matrix["rows"] = 2
        market = "%%MatrixMarket matrix coordinate pattern general\n% a comment\n2 2 3\n1 1\n1 2\n2 1\n"
        self.assertEqual(self.compared(matrix, market), "same")
        self.assertEqual(self.compared(matrix, market.replace("general", "symmetric").replace("3\n1 1\n1 2", "2\n1 1")), "same")
        self.assertIn("another size", self.compared(matrix, market.replace("2 2 3", "2 3 3")))
        self.assertIn("another graph", self.compared(matrix, market.replace("2 1\n", "2 2\n")))
        self.assertIn("is not compared: it has no size, or no values", self.compared(matrix, market.replace("coordinate", "array")))
        self.assertEqual(self.compared(matrix, "1 1\n1 2\n2 1\n"), "same")
        self.assertIn("refused", self.compared({**matrix, "rows": 3}, market))
        self.assertIn("refused", self.compared({**matrix, "rows": True}, market))
        matrix["labels"] = ["u", "v", "u", "v"]
        self.assertEqual(self.compared(matrix, "u u\nu v\nv u\n"), "same")
        self.assertIn("another graph", self.compared(matrix, "u u\nv v\nv u\n"))


class Files(unittest.TestCase):
    """Files of graphs: what tools/read_graph.py reads of them, and what countpm reads."""

    def setUp(self):
        self.rng = random.Random(options.seed)
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name, content):
        path = pathlib.Path(self.folder.name) / name
        path.write_bytes(content.encode("utf-8"))
        return path

    def says(self, proof, ending, content):
        return python_says(self.path("p.json", json.dumps(proof)), self.path("graph" + ending, content))

    def test_what_is_read(self):
        triangle = {**reference_prover.prove({"vertices": 3, "edges": [[0, 1, "1/2"], [0, 2, "-3"], [1, 2, "2*x"]]}, [0, 1, 2]), "labels": ["a", "b", "c"]}
        for text in ("a b 0.5\nb c 2*x\nc a -3\n", "a b .5e0\r\na\tc -3 # a comment\r\n% another\r\n#! vertex b\r\nc b x*2/1 # no".replace("x*2/1", "4/2*x^1"),
                     "b a 50e-2\na b 5D-1\na c -6/2\nc a -3.\nb c 2*x\nc b 2*x**1"):
            self.assertIn("(an edge list)", self.says(triangle, ".edges", text), text)
        cycles = {**reference_prover.prove({"vertices": 6, "edges": [[0, 4], [0, 5], [1, 3]]}, [*range(6)]), "rows": 3, "labels": ["a", "b", "c"] * 2}
        self.assertIn("(an edge list)", self.says(cycles, ".el", "a b\na c\nb a\n"))  # c has no arc out: its row is empty
        matrix = {**reference_prover.prove({"vertices": 4, "edges": [[0, 2, "2"], [0, 3, "1/2"], [1, 2, "1/2"]]}, [*range(4)]), "rows": 2}
        for ending, text in ((".dense", "2 0.5\n# a comment\n1/2 0\n"), (".mtx", "%MatrixMarket matrix array real symmetric\n2 2\n2\n.5\n0\n"),
                             (".mm", "%%MatrixMarket matrix coordinate double symmetric\n%\n2 2 2\n2 1 5e-1\n01 1 2.0\n"),
                             ("", "%%MATRIXMARKET matrix array real general\n2 2\n2\n0.5\n0.5\n0")):
            self.assertIn(" (a ", self.says(matrix, ending, text), text)
        path = reference_prover.prove({"vertices": 3, "edges": [[0, 1], [1, 2]], "monomers": ["1", "0", "1"]}, [1, 0, 2])
        for ending, text in ((".01", "010\n101\n010\n"), (".mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n"),
                             (".mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 4\n1 1\n2 1\n3 2\n3 3\n"), (".el", "1 2\n2 3\n1 1\n3 3\n")):
            self.assertEqual("which has no sets and monomers" in self.says(path, ending, text), ending == ".01" or "general" in text, text)
            self.assertIn("compared with", self.says(path, ending, text), text)
        self.assertIn("the file has loops", self.says(path, ".el", "1 2\n2 3\n1 1\n"))

    def test_what_is_not_read_is_no_other_graph(self):
        pair = {"vertices": 2, "edges": [[0, 1]]}
        one = reference_prover.prove(pair, [0, 1])
        matrix, market = {**one, "rows": 1}, "%%MatrixMarket matrix coordinate "
        for proof, ending, text in (
                (matrix, ".mtx", market + "pattern symmetric\n2 2 1\n1 2\n"), (matrix, ".mtx", market + "real general\n1 1 1\n1 1\n"),
                (matrix, ".mtx", market + "real general\n1 1 1\n1 1 nan\n"), (matrix, ".mtx", market + "real general\n1 1 1\n1 1 1e999\n"),
                (matrix, ".mtx", market + "integer general\n1 1 1\n1 1 1.5\n"), (matrix, ".mtx", market + "pattern general\n1 1 1\n1 1 1\n"),
                (matrix, ".mtx", market + "pattern general\n1 1 2\n1 1\n"), (matrix, ".mtx", market + "complex general\n1 1 1\n1 1 1 0\n"),
                (matrix, ".mtx", market + "integer general\n1 1 1\n1 1 x\n"), (matrix, ".mtx", "1 1 1\n1 1\n"), (matrix, ".mtx", "\n% 1\n"), (matrix, ".dense", "2\n"),
                (one, ".edges", "1 2 x\n"), (one, ".edges", "1 2 (1,2)\n"), (one, ".edges", "1 2 3 4\n"), (one, ".edges", "1 2\n1 2\n"), (one, ".edges", "1 2 1/0\n"),
                (one, ".edges", "1 -> 2\n"), (one, ".edges", "'1' '2'\n"), (one, ".edges", "1 2\v\n"), (one, ".edges", "1 2\r3 4\n"), (one, ".edges", ""),
                (one, ".edges", "\ufeff"), (one, ".edges", "# 1 2\n"), (one, ".smi", "1 2\n"), (one, ".csv", "1,2\n"), (one, ".edges", "#! vertex 3 degree 2\n1 2\n"),
                (one, ".edges", "source target\n1 2\n"), (one, ".edges", "2 1\n1 2\n"), (one, ".txt", "1 0\n0 1\n"), (one, ".edges", "nodes 2\n1 2\n"),
                (one, ".edges", "2 1 1\n1 2\n"), (one, ".edges", "e 1 2\n"), (one, ".txt", "0 x\nx 0\n"), (one, ".edges", "1 2\n#\n"), (one, ".edges", "1 2\n#3 #4\n"), (one, ".edges", "1 2 5\n2 1 6\n")):
            self.assertIn("2: the count is proved, but ", self.says(proof, ending, text), text)
            self.assertIn(f"graph{ending} is not compared: ", self.says(proof, ending, text), text)
        path = self.path("graph.el", "")
        path.write_bytes(b"1 \xff\n")
        self.assertIn("is not compared: no text in UTF-8", python_says(self.path("p.json", json.dumps(one)), path))

    def test_another_graph_is_refused(self):
        proof = {**reference_prover.prove({"vertices": 3, "edges": [[0, 1], [1, 2]], "monomers": ["1"] * 3}, [0, 1, 2]), "labels": ["a", "b", "c"]}
        lone = {**proof, "labels": ["a", "b", "c\u00a0d"]}
        for which, text in ((proof, "a b\nb c\n#! vertex d\n"), (proof, "a b\nb c 0\n"), (proof, "a b\nb c\nc a\n"), (proof, "a b\nb c\nc c 1\n"), (lone, "a b\nb c d\n"),
                            (proof, "a b\nb c\u00a0\n"), (proof, "a b\na c\n")):
            self.assertNotIn("compared with", self.says(which, ".edges", text), text)
        arcs = {**reference_prover.prove({"vertices": 4, "edges": [[0, 2], [0, 3]]}, [*range(4)]), "rows": 2}
        self.assertIn("compared with", self.says(arcs, ".edges", "1 1\n1 2\n"))  # of a directed graph; else 2 is on the right alone
        self.assertIn("compared with", self.says(arcs, ".edges", "1 1\n1 2\n#! left 2\n"))
        self.assertIn("fewer vertices", self.says(arcs, ".edges", "1 2\n#! right 1\n"))
        rows = {**reference_prover.prove({"vertices": 0, "edges": []}, []), "labels": []}
        for m in (-1, 1, 7, True, "0", None, 0.0):
            self.assertIn("refused: rows is wrong", self.says({**rows, "rows": m}, ".mtx", "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n"))

    def test_countpm_reads_the_same(self):
        """Random files: plain ones are read by both; whatever is read as the same graph here is no other one there, and the other way around."""
        if not options.countpm:
            self.skipTest("no countpm")
        said = dict.fromkeys(("proved", "refused", "2"), 0)
        for k in range(max(20, options.trials // 3)):
            ending, text, chosen = graph_files.plain(self.rng)
            graph, proof = self.path(f"graph{k}{ending}", text), pathlib.Path(self.folder.name) / f"p{k}.json"
            subprocess.run([options.countpm, "count", graph, "--proof", proof, *chosen], capture_output=True)
            if not proof.exists():
                continue
            words = python_says(proof, graph)
            said[words.split(":")[0]] += 1
            self.assertTrue(not words.startswith("refused") or "no rectangle's sum" in words, f"{text!r} {words}")
            other = graph_files.changed(self.rng, text)
            graph = self.path(f"other{k}{ending}", other)
            words = python_says(proof, graph)
            done = subprocess.run([options.countpm, "verify", proof, graph], capture_output=True, text=True, errors="replace")
            what = f"{other!r} {ending} {words} {done.stdout}{done.stderr}"
            self.assertTrue(done.returncode != 4 or not words.startswith("proved"), what)
            self.assertTrue(done.returncode != 0 or not words.startswith("refused"), what)
        self.assertGreater(said["proved"], 10)
        self.assertLessEqual(said["2"], said["proved"] // 8 + 1)


class Hostile(unittest.TestCase):
    """Proofs and files that claim much: they are refused, in a time that grows as the file does."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def seconds(self, text, graph=None):
        """CPU time of check_proof.py."""
        paths = [pathlib.Path(self.folder.name) / "p.json", *([pathlib.Path(self.folder.name) / graph[0]] if graph else [])]
        paths[0].write_text(text)
        if graph:
            paths[1].write_text(graph[1])
        started = time.process_time()
        words = python_says(*paths)
        seconds = time.process_time() - started
        self.assertFalse(words.startswith("proved"), words[:200])
        if options.countpm:
            done = subprocess.run([options.countpm, "verify", *paths], capture_output=True)
            self.assertIn(done.returncode, (2, 3, 4), done.stderr[:500])
        return seconds

    def soon_within(self, limit, what, *makers):
        """Whether limit(seconds of each) holds of the least times of up to three runs: other programs only lengthen them."""
        best = [float("inf")] * len(makers)
        for _ in range(3):
            best = [min(least, make()) for least, make in zip(best, makers)]
            if limit(*best):
                return
        self.fail(f"{what}: {best}")

    def grows_as_the_file(self, what, make, size, graph=False):
        """Four times the size takes less than ten times as long: sixteen times if it grew by the square."""
        proof = json.dumps({**reference_prover.prove({"vertices": 2, "edges": [[0, 1, "1/2"]]}, [0, 1]), "labels": ["a", "b"]})
        runs = [lambda n=n: self.seconds(proof, make(n)) if graph else self.seconds(make(n)) for n in (size, 4 * size)]
        self.soon_within(lambda small, large: large < 10 * small + 0.2, f"{what} {size}", *runs)

    def test_proofs(self):
        for name, (make, size) in hostile.PROOFS.items():
            with self.subTest(name):
                self.grows_as_the_file(name, make, size)

    def test_files(self):
        for name, (make, size) in hostile.FILES.items():
            with self.subTest(name):
                self.grows_as_the_file(name, make, size, graph=True)

    def test_claims(self):
        for name, text in hostile.CLAIMS.items():
            with self.subTest(name):
                self.soon_within(lambda seconds: seconds < 1, name, lambda text=text: self.seconds(text))

    def test_an_order_that_fills_the_matrix(self):
        """A planar proof's own order does not decide how long the Pfaffian takes."""
        side = 40
        rows, columns = [*range(side * side)], [*range(side * side)]
        random.Random(1).shuffle(columns)
        runs = [lambda order=order: self.seconds(hostile.planar_grid(side, order)) for order in (rows, columns)]
        self.soon_within(lambda *times: max(times) < 3 * min(times) + 0.2, "an order that fills the matrix", *runs)


class Gallery(unittest.TestCase):
    """data/proofs: every file is in the table, proves what stands there, and is of the input that stands there."""

    def test_all_are_accepted(self):
        folder = ROOT / "data" / "proofs"
        table = [line.split("\t") for line in (folder / "gallery.tsv").read_text(encoding="utf-8").splitlines()[1:]]
        self.assertGreaterEqual(len(table), 20)
        self.assertEqual(sorted(name for name, *_ in table), sorted(path.name for path in folder.glob("*.json")))
        checkers = Checkers()
        self.addCleanup(checkers.close)
        page = (ROOT / "bench" / "results" / "proofs.md").read_text(encoding="utf-8")
        for name, count, source, *_ in table:
            self.assertLess((folder / name).stat().st_size, 50_000, name)
            self.assertEqual(checkers.verdict((folder / name).read_text(encoding="utf-8")), "proved: " + count, name)
            self.assertIn(f"| `{name[:-5]}` |", page)
            graph = source.split()[0]
            if options.countpm and not graph.endswith(".dense"):
                done = subprocess.run([options.countpm, "verify", folder / name, graph], cwd=ROOT, capture_output=True, text=True)
                self.assertIn("has the same graph", done.stdout, name + done.stderr)


class Inputs(unittest.TestCase):
    """What countpm verify PROOF INPUT compares beyond check_proof.py."""

    def says(self, proof, name, content):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "p.json").write_text(json.dumps(proof))
            (pathlib.Path(folder) / name).write_text(content)
            done = subprocess.run([options.countpm, "verify", "p.json", name], cwd=folder, capture_output=True, text=True)
        return done.stdout + done.stderr

    def setUp(self):
        if not options.countpm:
            self.skipTest("no countpm")

    def test_lists_of_sets(self):
        graph = {"vertices": 4, "edges": [[0, 3, "2"]], "sets": [[0, 1, 2], [1, 2, 3, "1/2"]], "monomers": ["0", "0", "0", "3"]}
        proof = {**reference_prover.prove(graph, [2, 0, 1, 3]), "labels": ["a", "b", "c", "d"]}
        right = "a b c\nd b c ; 1/2\nd a ; 2\nd ; 3\n"
        self.assertIn("input        s.hyper has the same graph\n", self.says(proof, "s.hyper", right))
        self.assertIn("does not have the set a b c", self.says(proof, "s.hyper", right.replace("a b c", "a b d")))
        self.assertIn("the set b c d has the weight 1/2 in the proof and 3/2", self.says(proof, "s.hyper", right.replace("1/2", "3/2")))
        self.assertIn("the monomer d has the weight 3", self.says(proof, "s.hyper", right.replace("; 3", "; 4")))
        self.assertIn("the edge a d has the weight 2", self.says(proof, "s.hyper", right.replace("; 2", "; 5")))
        self.assertIn("does not have the input's monomer a", self.says(proof, "s.hyper", right + "a ; 7\n"))
        self.assertIn("monomers and sets are as the proof says", self.says(proof, "g.edges", "a d 2\n#! vertex b\n#! vertex c\n"))

    def test_letters(self):
        graph = {"vertices": 2, "edges": [[0, 1, "-3/2*x*y^-2"]]}
        proof = reference_prover.prove(graph, [0, 1])
        self.assertIn("has the same graph", self.says(proof, "g.edges", "1 2 -3/2*x*y^-2\n"))
        self.assertIn("has the weight", self.says(proof, "g.edges", "1 2 -3/2*x*y^2\n"))

    def test_kinds(self):
        proof = {**reference_prover.prove({"vertices": 4, "edges": [[0, 2], [0, 3], [1, 2]]}, [0, 1, 2, 3]), "rows": 2}
        self.assertIn("statement    permanent of a 2 x 2 matrix with 3 entries", self.says(proof, "m.dense", "11\n10\n"))
        self.assertIn("has the same graph", self.says(proof, "m.dense", "11\n10\n"))
        self.assertIn("refused", self.says(proof, "m.dense", "11\n01\n"))
        digraph = {**proof, "labels": ["u", "v", "u", "v"]}
        self.assertIn("has the same graph", self.says(digraph, "g.dot", "digraph { u -> u; u -> v; v -> u }"))
        self.assertIn("refused", self.says(digraph, "g.dot", "digraph { u -> u; u -> v; v -> v }"))
        rectangle = {**reference_prover.prove({"vertices": 3, "edges": [[0, 1], [0, 2]], "monomers": ["0", "1", "1"]}, [0, 1, 2]), "rows": 1}
        self.assertIn("statement    permanent of a 1 x 2 matrix with 2 entries", self.says(rectangle, "m.mtx", "%%MatrixMarket matrix coordinate pattern general\n1 2 2\n1 1\n1 2\n"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--trials", type=int, default=options.trials)
    parser.add_argument("--checker", default=os.environ.get("COUNTPM_PROOF_CHECKER"))
    parser.add_argument("--countpm", default=None)
    parser.add_argument("--seed", type=int, default=options.seed)
    rest = parser.parse_known_args(namespace=options)[1]
    for name in ("checker", "countpm"):
        setattr(options, name, getattr(options, name) and os.path.abspath(getattr(options, name)))
    started = time.time()
    program = unittest.main(argv=[sys.argv[0], *rest], exit=False, verbosity=1)
    print(f"{options.trials} trials with seed {options.seed} took {time.time() - started:.1f} s", file=sys.stderr)
    sys.exit(not program.result.wasSuccessful())


if __name__ == "__main__":
    main()
