"""The pictures of a race, as SVG that can be read on light and dark pages: bars for chosen instances, and a point for every instance."""

import math
from xml.sax.saxutils import escape

OURS = ('countpm', 'countpm-module')
STYLE = '''<style>
.page { fill: #ffffff; }
text { font: 12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328; }
.title { font-weight: 600; }
.small { font-size: 11px; fill: #59636e; }
.ours { fill: #0969da; }
.peer { fill: #afb8c1; }
.grid { stroke: #d1d9e0; stroke-width: 1; }
.one { stroke: #bc4c00; stroke-width: 1.5; stroke-dasharray: 5 4; }
.ours-point { fill: #0969da; fill-opacity: 0.75; }
.peer-point { fill: #bc4c00; }
.open { fill: none; stroke: #0969da; stroke-width: 1.2; }
@media (prefers-color-scheme: dark) {
.page { fill: #0d1117; }
text { fill: #e6edf3; }
.small { fill: #9198a1; }
.ours { fill: #4493f8; }
.peer { fill: #57606a; }
.grid { stroke: #3d444d; }
.one { stroke: #f0883e; }
.ours-point { fill: #4493f8; }
.peer-point { fill: #f0883e; }
.open { stroke: #4493f8; }
}
</style>'''
# What the front page shows: group, instance, words. The largest of several that was measured.
CHOSEN = [
    ('permanents', ('integers-28', 'integers-24', 'integers-20', 'integers-8'), 'permanent, {n}, integers from 1 to 9'),
    ('permanents', ('complex-24', 'complex-20', 'complex-8'), 'permanent, {n}, complex'),
    ('hafnians', ('complex-28', 'complex-24', 'complex-8'), 'hafnian, {n}, complex'),
    ('loop-hafnians', ('complex-24', 'complex-20', 'complex-8'), 'loop hafnian, {n}, complex'),
    ('sparse', ('king-8x8', 'king-6x6', 'king-4x4'), "perfect matchings, king's graph {n}"),
    ('sparse', ('regular3-100', 'regular3-80', 'regular3-20'), 'perfect matchings, 3-regular graph of {n} vertices'),
    ('sparse', ('west0067',), 'perfect matchings, the matrix west0067'),
    ('sparse', ('bipartite-24', 'bipartite-8'), 'perfect matchings, random bipartite graph, {n} vertices, density 0.5'),
    ('planar', ('square-40x40', 'square-30x30', 'square-6x6'), 'domino tilings, {n}'),
    ('polynomials', ('C60', 'cycle-20'), 'matching polynomial, {n}'),
    ('marginals', ('square-20x20', 'square-10x10', 'square-4x4'), 'probability of every domino, {n}'),
]
MOST_PEERS = 4


def seconds(value):
    if value < 0.00095:
        return f'{float(f"{1e6 * value:.2g}"):g} \u00b5s'
    if value < 0.95:
        return f'{float(f"{1000 * value:.2g}"):g} ms'
    return f'{float(f"{value:.2g}"):g} s'


def usable(run):
    """Whether it answered the question, right as far as its arithmetic goes, and not by estimating."""
    return run['status'] == 'ok' and not any(run.get(key) for key in ('wrong', 'approximate', 'logarithm'))


def size_of(instance):
    tail = instance.split('-')[-1]
    return f'{tail} x {tail}' if tail.isdigit() else tail.replace('x', ' x ')


def chosen(groups):
    """(words, row) of what the picture shows."""
    rows = {(group['group'], row['instance']): row for group in groups for row in group['rows']}
    for group, names, words in CHOSEN:
        for name in names:
            if (group, name) in rows:
                tail = name.split('-')[-1]
                size = f'{tail} + {tail}' if name.startswith('bipartite') else tail if 'vertices' in words else size_of(name)
                yield words.replace('{n}', size), rows[group, name]
                break


def bar_list(row, packages):
    """(name, seconds or None for over the limit, is it ours): countpm first, then peers, one of each package, fastest first."""
    ours = [(('countpm' if name == 'countpm' else "countpm's Python module"), row['runs'][name]['cpu_median'], True)
            for name in OURS if name in row['runs'] and usable(row['runs'][name])]
    peers = {}
    for name, run in row['runs'].items():
        if name in OURS:
            continue
        package = packages.get(name, name)
        if usable(run):
            peers[package] = min(peers.get(package) or math.inf, run['cpu_median'])
        elif run['status'] in ('limit', 'not run'):
            peers.setdefault(package, None)
    several = sorted(peers.items(), key=lambda item: (item[1] is None, item[1] or 0, item[0]))[:MOST_PEERS]
    return ours + [(name, value, False) for name, value in several]


def bars(groups):
    """For each chosen instance a bar for each program, on a logarithmic scale."""
    packages = {name: each['package'] for group in groups for name, each in group['programs'].items()}
    left, wide, line = 210, 420, 17
    low, high = -5, 2
    body, y = [], 50

    def x(value):
        return left + wide * (min(max(math.log10(max(value, 1e-9)), low), high) - low) / (high - low)

    panels = list(chosen(groups))
    top = y
    for words, row in panels:
        y += 16
        body.append(f'<text class="title" x="8" y="{y}">{escape(words)}</text>')
        y += 6
        for name, value, ours in bar_list(row, packages):
            end = x(row['limit'] if value is None else value)
            body.append(f'<text x="{left - 8}" y="{y + 12}" text-anchor="end">{escape(name)}</text>')
            body.append(f'<rect class="{"ours" if ours else "peer"}" x="{left}" y="{y + 2}" width="{max(end - left, 1):.1f}" height="{line - 5}"/>')
            text = f"over {row['limit']:g} s" if value is None else seconds(value)
            wrong = next((run['wrong_digits'] for key, run in row['runs'].items() if value is not None and packages.get(key, key) == name and usable(run)
                          and run['cpu_median'] == value and run.get('wrong_digits')), 0) if not ours else 0
            if wrong:
                text += f", {wrong} of {row['digits'] or 16} digits wrong"
            body.append(f'<text class="small" x="{end + 5:.1f}" y="{y + 12}">{escape(text)}</text>')
            y += line
        y += 6
    grid = []
    for power in range(low, high + 1):
        at = x(10.0 ** power)
        grid.append(f'<line class="grid" x1="{at:.1f}" y1="{top - 8}" x2="{at:.1f}" y2="{y}"/>')
        label = {-5: '10 \u00b5s', -4: '0.1 ms', -3: '1 ms', -2: '10 ms', -1: '0.1 s', 0: '1 s', 1: '10 s', 2: '100 s'}[power]
        grid.append(f'<text class="small" x="{at:.1f}" y="{top - 12}" text-anchor="middle">{label}</text>')
    return picture(left + wide + 190, y + 8, 'CPU time of countpm and of other programs, logarithmic', grid + body)


def ratios(groups):
    """For every instance on which a peer ended the time of the best one over countpm's: discs of the program, rings of its module."""
    left, row_height, wide = 250, 34, 600
    low, high = -4, 5
    body, y = [], 52

    def x(value):
        return left + wide * (min(max(math.log10(value), low), high) - low) / (high - low)

    top = y
    for group in groups:
        y += row_height
        body.append(f'<text x="{left - 12}" y="{y - row_height / 2 + 4:.1f}" text-anchor="end">{escape(group["title"])}</text>')
        for place, row in enumerate(group['rows']):
            peers = [run['cpu_median'] for name, run in row['runs'].items() if name not in OURS and usable(run)]
            if not peers:
                continue
            lift = 6 + (place * 7) % 22
            for name in OURS:
                run = row['runs'].get(name)
                if run and usable(run):
                    value = min(peers) / run['cpu_median']
                    kind = 'open' if name != 'countpm' else 'ours-point' if value >= 1 else 'peer-point'
                    body.append(f'<circle class="{kind}" cx="{x(value):.1f}" cy="{y - row_height + lift:.1f}" r="3.4"><title>'
                                f"{escape(row['about'])}: {float(f'{value:.2g}'):g}</title></circle>")
    grid = [f'<line class="{"one" if power == 0 else "grid"}" x1="{x(10.0 ** power):.1f}" y1="{top}" x2="{x(10.0 ** power):.1f}" y2="{y}"/>'
            f'<text class="small" x="{x(10.0 ** power):.1f}" y="{top - 6}" text-anchor="middle">{escape(label)}</text>'
            for power, label in zip(range(low, high + 1), ('1/10,000', '1/1000', '1/100', '1/10', 'equal', '10 times', '100', '1000', '10,000', '100,000'))]
    body.append(f'<text class="small" x="{left}" y="{y + 18}">right of the line: countpm is ahead; discs: the whole program, rings: a call of its Python module</text>')
    return picture(left + wide + 40, y + 30, 'CPU time of the best other program over that of countpm', grid + body)


def picture(width, height, title, parts):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" role="img">\n'
            f'<title>{escape(title)}</title>\n{STYLE}\n<rect class="page" width="{width:.0f}" height="{height:.0f}"/>\n<text class="title" x="8" y="14">{escape(title)}</text>\n' + '\n'.join(parts) + '\n</svg>\n')
