#!/usr/bin/env python3
"""Draws the pictures of docs/pictures that are no output of countpm: charts, and plots of the tables in bench/results.

    python3 tools/draw_docs.py            writes those that have changed
    python3 tools/draw_docs.py --check    writes nothing, and fails if a picture is not what this draws

Every number of a plot is read from a table of bench/results. Python 3.8 or later; no packages.
docs/pictures/draw.sh makes the other pictures.
"""
import math
import re
import sys
from html import escape
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
PICTURES = TOP / 'docs' / 'pictures'

# Light and dark. A picture has its own background, so it can be read wherever it stands.
STYLE = '''<style>
:root{color-scheme:light dark}
.paper{fill:#fff;stroke:#d0d4dc}.ink{fill:#1c2230}.soft{fill:#525b6e}.line{stroke:#525b6e;fill:none}.grid{stroke:#d9dde4}
.box{fill:#f2f4f8;stroke:#8a93a6}.ask{fill:#fff6dd;stroke:#9a7416}.end{fill:#e6f3ea;stroke:#2d7a4a}.no{fill:#fbe9e7;stroke:#a8443a}
.c0{stroke:#1f4fa3;fill:#1f4fa3}.c1{stroke:#a8443a;fill:#a8443a}.c2{stroke:#2d7a4a;fill:#2d7a4a}.c3{stroke:#8a5a00;fill:#8a5a00}
.c4{stroke:#7a3f98;fill:#7a3f98}.c5{stroke:#525b6e;fill:#525b6e}
text{font-family:system-ui,"Segoe UI",Helvetica,Arial,sans-serif;font-size:14px;stroke:none}
.mono{font-family:ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;font-size:13px}
.small{font-size:12px}.head{font-weight:600}.title{font-size:17px;font-weight:600}
@media (prefers-color-scheme:dark){
.paper{fill:#171a21;stroke:#3a4150}.ink{fill:#e8ebf1}.soft{fill:#b3bbca}.line{stroke:#b3bbca}.grid{stroke:#323947}
.box{fill:#232833;stroke:#8d97aa}.ask{fill:#3a3116;stroke:#d9b04a}.end{fill:#17331f;stroke:#62b882}.no{fill:#3c1f1c;stroke:#e08a80}
.c0{stroke:#8ab4ff;fill:#8ab4ff}.c1{stroke:#f0958a;fill:#f0958a}.c2{stroke:#6fce92;fill:#6fce92}.c3{stroke:#e0b050;fill:#e0b050}
.c4{stroke:#cf9be8;fill:#cf9be8}.c5{stroke:#b3bbca;fill:#b3bbca}}
</style>'''


class Picture:
    """An SVG: what is drawn, from the top left corner, in pixels."""

    def __init__(self, width, height, title, description):
        self.width, self.height = width, height
        self.parts = [f'<title>{escape(title)}</title>', f'<desc>{escape(description)}</desc>', STYLE,
                      '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto">'
                      '<path d="M0 1 9 5 0 9" class="line" stroke-width="1.5"/></marker></defs>',
                      f'<rect x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="8" class="paper"/>']

    def text(self, x, y, text, style='ink', anchor='start', turn=0):
        more = f' transform="rotate({turn} {x:g} {y:g})"' if turn else ''
        self.parts.append(f'<text x="{x:g}" y="{y:g}" class="{style}" text-anchor="{anchor}"{more}>{escape(text)}</text>')

    def box(self, x, y, width, height, lines, style='box', anchor='middle'):
        """A box with lines of text; a line that begins with ` is code."""
        self.parts.append(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="6" class="{style}"/>')
        first = y + height / 2 - 9 * (len(lines) - 1) + 5
        for number, line in enumerate(lines):
            kind = 'ink mono' if line.startswith('`') else 'ink head' if number == 0 and len(lines) > 1 else 'ink'
            self.text(x + (width / 2 if anchor == 'middle' else 12), first + 18 * number, line.lstrip('`'), kind, anchor)

    def line(self, points, style='line', tip=False, dash='', width=1.5):
        end = ' marker-end="url(#tip)"' if tip else ''
        dashes = f' stroke-dasharray="{dash}"' if dash else ''
        path = ' '.join(f'{x:g},{y:g}' for x, y in points)
        self.parts.append(f'<polyline points="{path}" class="{style}" style="fill:none" stroke-width="{width}"{dashes}{end}/>')

    def __str__(self):
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}" '
                f'height="{self.height}" role="img">\n' + '\n'.join(self.parts) + '\n</svg>\n')


# Which command answers which question: docs/which-command.md has an example of each.
QUESTIONS = [
    ('How many?', [
        ('How many perfect matchings (permanent, hafnian)', 'countpm INPUT'),
        ('How long would that take, and by which method', 'countpm explain INPUT'),
        ('About how many, if counting takes too long', 'countpm estimate INPUT'),
        ('Between which bounds, for certain', 'countpm bounds INPUT'),
        ('How many for each of many graphs', 'countpm many INPUT...'),
        ('How many up to symmetry', 'countpm INPUT --up-to-symmetry')]),
    ('Which ones?', [
        ('All of them', 'countpm list INPUT'),
        ('Some, drawn at random', 'countpm sample INPUT'),
        ('The lightest or heaviest, and how many', 'countpm INPUT --ground-state min')]),
    ('How likely?', [
        ('Is an edge in a random matching', 'countpm marginals INPUT'),
        ('Are two edges in it together', 'countpm marginals INPUT --given A,B'),
        ('Bond orders of a molecule', 'countpm chem INPUT'),
        ('An outcome of boson sampling', 'countpm probability INPUT')]),
    ('Other sums', [
        ('Over all matchings, not only perfect ones', 'countpm INPUT --monomers 1'),
        ('Over maximum matchings (rectangular permanent)', 'countpm INPUT --maximum'),
        ('The matching polynomial', 'countpm INPUT --monomers t'),
        ('All minors along a column', 'countpm minors INPUT --column 1'),
        ('2-factors and other factors', 'countpm INPUT --degree 2'),
        ('Cycle covers of a directed graph', 'countpm INPUT --kind directed')]),
    ('Is it right?', [
        ('Count again by another method', 'countpm INPUT --double-check'),
        ('Prove it, to be checked without countpm', 'countpm INPUT --proof FILE'),
        ('Check a result that is there', 'countpm verify RESULT INPUT')]),
    ('Long counts', [
        ('Keep what is done, and go on later', 'countpm INPUT --checkpoint FILE'),
        ('Count on several machines', 'countpm split INPUT')]),
]


def which_command():
    rows = sum(len(questions) for _, questions in QUESTIONS)
    height = 62 + 28 * rows + 12 * len(QUESTIONS)
    picture = Picture(880, height, 'Which command answers my question',
                      'A chart of questions in six groups, each with the command that answers it; the table below it says the same.')
    picture.text(24, 34, 'Which command answers my question', 'ink title')
    y = 52
    for number, (group, questions) in enumerate(QUESTIONS):
        tall = 28 * len(questions)
        picture.parts.append(f'<rect x="24" y="{y}" width="5" height="{tall}" rx="2" class="c{number}"/>')
        picture.text(40, y + 19, group, 'ink head')
        for question, command in questions:
            picture.text(160, y + 19, question)
            picture.line([(530, y + 14), (556, y + 14)], tip=True)
            picture.parts.append(f'<rect x="562" y="{y + 2}" width="294" height="24" rx="5" class="box"/>')
            picture.text(572, y + 19, command, 'ink mono')
            y += 28
        y += 12
    return picture


def planner():
    picture = Picture(880, 800, 'How countpm decides',
                      'From the input to the number: a matching is looked for, the graph is cut into blocks and reduced, each method '
                      'predicts its time for each block, the fastest counts, and the result is checked.')
    picture.text(24, 34, 'How countpm decides', 'ink title')
    left, wide, middle = 40, 330, 205

    def step(y, lines, style='box', tall=52):
        picture.box(left, y, wide, tall, lines, style)

    def down(y, until, word=''):
        picture.line([(middle, y), (middle, until)], tip=True)
        if word:
            picture.text(middle + 10, (y + until) / 2 + 5, word, 'soft small')

    def right(y, lines, word, style, tall=52):
        picture.line([(left + wide, y), (500, y)], tip=True)
        picture.text(left + wide + 12, y - 7, word, 'soft small')
        picture.box(506, y - tall / 2, 340, tall, lines, style)

    step(52, ['Read the input', 'file, matrix, molecule, lattice'])
    down(104, 130)
    step(130, ['Is there a perfect matching?', 'Hopcroft-Karp, or Edmonds'], 'ask')
    right(156, ['0, and why', 'too few neighbours: Hall, Tutte'], 'no', 'end')
    down(182, 208, 'yes')
    step(208, ['Cut into blocks, and reduce', 'edges in no matching go; the rest shrinks'])
    right(234, ['Nothing is left', 'the number is known already'], 'done', 'end')
    down(260, 286, 'for each block')
    step(286, ['Every method predicts its time', 'rates are measured on this machine'])

    methods = [('planar, or nearly planar', 'planar, nearly-planar'), ('small pathwidth', 'frontier'), ('nearly complete', 'rook'),
               ('dense, bipartite', 'grouped, ryser'), ('dense, with odd cycles', 'hafnian'), ('in between', 'pruned, skipper')]
    picture.parts.append('<rect x="506" y="276" width="340" height="182" rx="6" class="box"/>')
    picture.text(518, 298, 'What is usually fastest', 'ink head')
    for number, (kind, name) in enumerate(methods):
        picture.text(518, 324 + 24 * number, kind, 'ink small')
        picture.text(668, 324 + 24 * number, name, 'ink mono')
    picture.line([(left + wide, 312), (500, 312)], tip=True)

    down(338, 380)
    step(380, ['The least predicted time wins', 'better orders are searched for, if that pays'])
    down(432, 474)
    step(474, ['Within the limits?', 'one hour, and the memory that is free'], 'ask', 72)
    right(510, ['Refused, with the forecast (exit 3)', '`--on-limit estimate', '`--on-limit bounds'], 'no', 'no', 72)
    down(546, 580, 'yes')
    step(580, ['Count', 'CPU threads, GPUs, other machines'])
    down(632, 658)
    step(658, ['Check', 'parity, bounds, residues; otherwise exit 4'])
    picture.line([(left + wide, 684), (500, 684)], tip=True)
    picture.box(506, 658, 340, 52, ['The number', 'exact, or with a bound on its error'], 'end')
    picture.text(40, 750, 'countpm explain INPUT shows all of this for your input, and counts nothing.', 'soft')
    picture.text(40, 774, 'countpm INPUT --report says what was done.', 'soft')
    return picture


def table(page, first_cells, section=None):
    """The rows of the table of bench/results/PAGE, or of one section of it, whose head begins with these cells, as dictionaries by head."""
    lines = (TOP / 'bench' / 'results' / page).read_text(encoding='utf-8').split('\n')
    lines = lines[lines.index(section):] if section else lines

    def cells(line):
        return [cell.strip() for cell in line.strip().strip('|').split('|')]

    for number, line in enumerate(lines):
        if line.startswith('|') and cells(line)[:len(first_cells)] == first_cells:
            head, rows = cells(line), []
            for row in lines[number + 2:]:
                if not row.startswith('|'):
                    break
                rows.append(dict(zip(head, cells(row))))
            return rows
    raise SystemExit(f'bench/results/{page} has no table that begins with {first_cells}')


def seconds(text):
    """The seconds that a cell says, or None."""
    found = re.fullmatch(r'([0-9.]+(e-?[0-9]+)?)( \(.*\))?', text)
    return float(found[1]) if found and float(found[1]) > 0 else None


MARKS = ['M-5 0A5 5 0 1 0 5 0 5 5 0 1 0-5 0Z', 'M-4.5-4.5H4.5V4.5H-4.5Z', 'M0-6 6 5H-6Z', 'M0-6 6 0 0 6-6 0Z', 'M-6-5H6L0 6Z',
         'M-5-2H-2V-5H2V-2H5V2H2V5H-2V2H-5Z']
DASHES = ['', '7 4', '2 4', '9 3 2 3', '4 2', '12 4']


def time_label(exponent):
    value = 10.0 ** exponent
    for unit, size in (('s', 1), ('ms', 1e-3), ('us', 1e-6)):
        if value >= size * 0.999:
            return f'{value / size:g} {unit}'
    return f'{value:g} s'


def plot(title, below, across, lines, ticks=None, joined=True):
    """Seconds over something, on a logarithmic scale; lines: [(name, [(x, seconds)])], countpm first. Not joined: points only."""
    names = ', '.join(name for name, _ in lines)
    picture = Picture(720, 430, title, f'Seconds on a logarithmic scale, over {across}: {names}. {" ".join(below)}')
    picture.text(24, 32, title, 'ink title')
    left, right, top, bottom = 78, 560, 54, 330
    xs = sorted({x for _, points in lines for x, _ in points})
    values = [value for _, points in lines for _, value in points]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))

    def place(x, value):
        return (left + 14 + (right - left - 28) * (x - xs[0]) / (xs[-1] - xs[0]),
                bottom - (bottom - top) * (math.log10(value) - low) / (high - low))

    for exponent in range(low, high + 1):
        y = place(xs[0], 10.0 ** exponent)[1]
        picture.line([(left, y), (right, y)], 'grid', width=1)
        picture.text(left - 8, y + 5, time_label(exponent), 'soft small', 'end')
    for x in ticks or xs:
        picture.text(place(x, values[0])[0], bottom + 20, f'{x:g}', 'soft small', 'middle')
    picture.text((left + right) / 2, bottom + 42, across, 'ink', 'middle')
    # Names stand beside the last points, in order and apart.
    ends = sorted(range(len(lines)), key=lambda number: place(*lines[number][1][-1])[1])
    at, last = {}, -100.0
    for number in ends:
        last = at[number] = max(place(*lines[number][1][-1])[1] + 5, last + 18)
    for number, (name, points) in enumerate(lines):
        places = [place(*point) for point in points]
        if joined:
            picture.line(places, f'c{number}', dash=DASHES[number], width=3 if number == 0 else 2)
        for x, y in places:
            picture.parts.append(f'<path d="{MARKS[number]}" transform="translate({x:.1f} {y:.1f})" class="c{number}"/>')
        picture.parts.append(f'<path d="{MARKS[number]}" transform="translate({right + 18} {at[number] - 5:.1f})" class="c{number}"/>')
        picture.text(right + 30, at[number], name, 'ink head' if number == 0 else 'ink')
    for number, line in enumerate(below):
        picture.text(24, 394 + 18 * number, line, 'soft small')
    return picture


def of_python(problem, density, title):
    rows = [row for row in table('python.md', ['problem', 'n', 'density']) if row['problem'] == problem and row['density'] == density]
    names = {'countpm': 'countpm', 'thewalrus': 'The Walrus', 'qc-permanent': 'qc-permanent'}
    lines = [(names[name], [(int(row['n']), seconds(row[name])) for row in rows if seconds(row[name])]) for name in names]
    return plot(title, ['Calls from Python, countpm exact, the others in doubles. Two cores of an EPYC (Zen 4), 25 November 2026.',
                        f'Source: bench/results/python.md; {problem}s of whole numbers from 1 to 9, density {density}.'],
                'rows' if problem == 'permanent' else 'vertices', [line for line in lines if line[1]])


def boards():
    """Boards of n x n, whose pathwidth is n: countpm beside counters that can be installed."""
    best = {row['instance']: row for row in table('first-race.md', ['instance', 'answer'])}
    peers = {row['instance']: row['every peer, CPU s of the count alone'] for row in table('first-race.md', ['instance', 'every peer, CPU s of the count alone'])}
    sides = [side for side in (6, 8, 10, 12) if f'square{side}x{side}' in best]
    lines = [('countpm', [(side, seconds(best[f'square{side}x{side}']['countpm, CPU s'])) for side in sides])]
    for name, shown in (('ganak', 'Ganak'), ('d4', 'D4'), ('cotengra', 'cotengra'), ('sage-bp', 'Sage'), ('graphillion-rcm', 'Graphillion')):
        points = []
        for side in sides:
            found = re.search(r'(?:^|; )' + re.escape(name) + r' ([0-9.]+)(?:;| \(|$)', peers[f'square{side}x{side}'])
            if found:
                points.append((side, float(found[1])))
        lines.append((shown, points))
    return plot('Domino tilings of an n x n board (pathwidth n)',
                ['CPU seconds: countpm as a whole program, the others the count alone. AMD EPYC, 28 November 2026.',
                 'Source: bench/results/first-race.md. Ganak did not end at n = 12 (limit 20 s).'], 'side of the board', lines)


def widths():
    """The sparse graphs of the race over their widths: each point is a graph."""
    width = {row['instance']: int(row['width']) for row in table('widths.md', ['instance', 'vertices'])}
    rows = table('peers.md', ['instance', 'load'], '### Perfect matchings of sparse graphs')
    lines = []
    for shown, names in (('countpm', ['countpm-module']), ('Graphillion', ['graphillion', 'graphillion-rcm']), ('cotengra', ['cotengra']),
                         ('qc-permanent', ['qc-permanent-graph'])):
        points = []
        for row in rows:
            times = [float(found[1]) for name in names
                     for found in [re.search(r'(?:^|; )' + re.escape(name) + r' ([0-9.]+)(?: \(|;|$)', row['every program, s of CPU'])] if found]
            instance = row['instance'].split(':')[0]
            if times and instance in width:
                points.append((width[instance], min(times)))
        lines.append((shown, sorted(points)))
    return plot('Perfect matchings of sparse graphs, by width',
                ['CPU seconds of a call. Each point is a graph: boards, cubes, fullerenes, random graphs, published matrices.',
                 'Calls of more than 2 to 4 s have no point. Sources: bench/results/peers.md (29 November 2026), widths.md.'],
                'width: the most vertices at the frontier', lines, range(5, 34, 5), joined=False)


def determinants():
    rows = [(int(row['graph'].split()[0]), row) for row in table('planar.md', ['graph', 'rows', 'countpm, s']) if re.fullmatch(r'\d+ x \d+', row['graph'])]
    return plot('Domino tilings of an n x n board, beside a determinant',
                ['CPU seconds: countpm from graph to checked number; FLINT 2.9, the determinant of the same Kasteleyn matrix.',
                 'Source: bench/results/planar.md; AMD EPYC (Zen 4), 21 November 2026.'], 'side of the board',
                [('countpm', [(n, seconds(row['countpm, s'])) for n, row in rows]), ('FLINT', [(n, seconds(row['FLINT, s'])) for n, row in rows])])


DRAWN = {
    'which-command.svg': which_command,
    'planner.svg': planner,
    'time-permanent.svg': lambda: of_python('permanent', '0.5', 'Permanent of a matrix of n rows'),
    'time-hafnian.svg': lambda: of_python('hafnian', '0.9', 'Hafnian of a graph with n vertices'),
    'time-board.svg': boards,
    'time-width.svg': widths,
    'time-determinant.svg': determinants,
}


def main(arguments):
    if arguments not in ([], ['--check']):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    changed = []
    for name, draw in DRAWN.items():
        text, path = str(draw()), PICTURES / name
        if not path.exists() or path.read_text(encoding='utf-8') != text:
            changed.append(name)
            if not arguments:
                path.write_text(text, encoding='utf-8')
    for name in changed:
        print(f'docs/pictures/{name} ' + ('is not what tools/draw_docs.py draws' if arguments else 'is written'))
    return 1 if changed and arguments else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
