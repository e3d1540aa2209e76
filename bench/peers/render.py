"""From the JSON of a race the page bench/results/peers.md, two pictures, and the pages docs/slower.md and docs/reproduce/numbers.md.

Nothing is in them that is not in the JSON: tests make them again and compare.
"""

import json
from pathlib import Path

import numbers_page
import pictures
from instances import TITLES
from pictures import OURS, usable

TOP = Path(__file__).resolve().parents[2]
SLOWER = TOP / 'docs' / 'slower.md'
NUMBERS = TOP / 'docs' / 'reproduce' / 'numbers.md'
# Why another program needs less CPU time than a call of the module: by group and family, or by group. A test asks for one where another is ahead.
SMALL = 'up to 8 rows the call itself is most of the time, and the sum is made twice'
PAIRS = 'the sum is made in pairs of doubles, up to 14 rows twice, so that its proven error is a rounding'
REASONS = {
    ('permanents', '0/1, density 0.5'): 'exact, and counted twice up to 13 rows',
    ('permanents', '1 to 9'): SMALL,
    ('permanents', 'floats'): PAIRS,
    ('permanents', 'complex'): PAIRS,
    ('permanents', 'rectangular'): SMALL,
    ('loop-hafnians', '1 to 9'): 'exact; more than 18 vertices are planned first',
    'sparse': 'the other program is given a matrix; the call reads a list of edges, and looks for the order to count in',
    'polynomials': 'a polynomial is planned as a long count is, which takes a millisecond or more',
    'proved': SMALL,
    'planar': "the other program is given Kasteleyn's matrix; the call reads a list of edges, draws the graph without crossings, and checks its number",
    ('marginals', 'square'): "the other program is given Kasteleyn's matrix, and inverts it in doubles; the call reads edges, plans, and its fractions are exact",
    'marginals': 'the call plans first, which takes a millisecond',
    ('maximum', 'size, bipartite'): 'a question that countpm answers beside others: `explain` reads labels, finds all components and plans',
    ('maximum', 'size, general'): 'a question that countpm answers beside others: `explain` reads labels, finds all components and plans',
    'maximum': 'the call plans first, and checks its number',
    'samples': 'the call plans first, which takes a millisecond or two; 100 samples of so small a graph take less',
}


def read(folder):
    """The groups, in the order of TITLES."""
    found = []
    for group in TITLES:
        path = Path(folder) / f'{group}.json'
        if path.exists():
            value = json.loads(path.read_text(encoding='utf-8'))
            if value.get('format') != 'countpm-peers 1':
                raise ValueError(f"{path}: format {value.get('format')!r}")
            found.append(value)
    return found


def seconds(value):
    """Two digits, and from a second on a tenth."""
    if value is None:
        return '-'
    if value >= 99.5:
        return f'{value:.0f}'
    return f'{value:.1f}' if value >= 9.95 else f'{float(f"{value:.2g}"):.7f}'.rstrip('0').rstrip('.')


def ratio(value):
    return '-' if value is None else f'{value:.0f}' if value >= 99.5 else f'{float(f"{value:.2g}"):g}'


def time_of(row, name):
    run = row['runs'].get(name)
    return run['cpu_median'] if run and usable(run) else None


def best_peer(row):
    peers = [(run['cpu_median'], name) for name, run in row['runs'].items() if name not in OURS and usable(run)]
    return min(peers) if peers else None


def error_text(run, digits):
    """What is to be said of an answer, in brackets."""
    if run.get('wrong'):
        return ' (WRONG)'
    if run.get('approximate'):
        return f" ({100 * run['error']:+.2g} %)"
    wrong = run.get('wrong_digits')
    if run.get('logarithm'):
        return f' (logarithm only, {wrong} of {digits} digits wrong)'
    return f' ({wrong} of {digits or 16} digits wrong)' if wrong else ''


def ratios(row):
    """Best peer's time over the program's and over the module's, or None."""
    best = best_peer(row)
    return tuple(best[0] / time_of(row, name) if best and time_of(row, name) else None for name in OURS)


def best_table(group):
    lines = ['| instance | answer | countpm, s | its Python module, s | best peer, s | peer / countpm | peer / module |', '|---|---|---|---|---|---|---|']
    for row in group['rows']:
        best = best_peer(row)
        text = f"{best[1]} {seconds(best[0])}{error_text(row['runs'][best[1]], row['digits'])}" if best else 'none ended'
        against = ratios(row)
        lines.append(f"| {row['instance']} | {answer_of(row)} | {seconds(time_of(row, 'countpm'))} | {seconds(time_of(row, 'countpm-module'))} "
                     f"| {text} | {ratio(against[0])} | {ratio(against[1])} |")
    return lines


def answer_of(row):
    answer = row['answer'] or ''
    if row['problem'] == 'samples':
        return 'samples'
    return answer.replace('coefficients', 'probabilities') if row['problem'] == 'marginals' else answer


def run_text(name, run, row):
    if run['status'] == 'ok':
        return f"{name} {seconds(run['cpu_median'])}{error_text(run, row['digits'])}"
    if run['status'] == 'limit':
        return f"{name} > {seconds(run['more_than'])}"
    return f"{name}: {run['status']}" + ('' if run['status'] == 'not run' else f" ({run['reason']})")


def all_table(group):
    lines = ['| instance | load | every program, s of CPU |', '|---|---|---|']
    for row in group['rows']:
        runs = sorted(row['runs'].items(), key=lambda item: (item[1]['status'] != 'ok', item[1]['status'] != 'limit', item[1].get('cpu_median', 0), item[0]))
        texts = [run_text(name, run, row) for name, run in runs if run['status'] != 'not run']
        skipped = [name for name, run in runs if run['status'] == 'not run']
        if skipped:
            texts.append(f"not run after a smaller one: {', '.join(skipped)}")
        lines.append(f"| {row['instance']}: {row['about']} | {row['load'][0]:g} to {row['load'][1]:g} | {'; '.join(texts)} |")
    return lines


def behind(groups):
    """Rows where the best peer takes less CPU time than the program, and than the module: (group, row)."""
    program, module = [], []
    for group in groups:
        for row in group['rows']:
            against = ratios(row)
            if against[0] is not None and against[0] < 1:
                program.append((group, row))
            if against[1] is not None and against[1] < 1:
                module.append((group, row))
    return program, module


def behind_lines(rows):
    """A table with a line for each."""
    lines = ['| question | instance | best other program, s | countpm\'s module, s |', '|---|---|---|---|']
    for group, row in rows:
        best = best_peer(row)
        lines.append(f"| {group['title']} | {row['about']} | {best[1]} {seconds(best[0])}{error_text(row['runs'][best[1]], row['digits'])} "
                     f"| {seconds(time_of(row, 'countpm-module'))} |")
    return lines


def instances_lines(rows):
    """A table with a line for each group: which instances."""
    lines = ['| question | instances |', '|---|---|']
    for title in dict.fromkeys(group['title'] for group, _ in rows):
        lines.append(f"| {title} | {', '.join(row['instance'] for group, row in rows if group['title'] == title)} |")
    return lines


def dates(groups):
    found = sorted({row['date'] for group in groups for row in group['rows']})
    return found[0] if len(found) == 1 else f'{found[0]} to {found[-1]}'


def loads(groups):
    found = [load for group in groups for row in group['rows'] for load in row['load']]
    return f'{min(found):g} to {max(found):g}'


def head(groups):
    machine = groups[0]['machine']
    commits = ', '.join(dict.fromkeys(str(row.get('commit', group['commit'])) for group in groups for row in group['rows']))
    return [f"Measured {dates(groups)} with {groups[0]['countpm']}, commit {commits}.",
            f"Machine: {machine['cores']} cores of {machine['cpu']}, {machine['memory_gib']:g} GiB, {machine['system']}, Python {machine['python']}; load {loads(groups)}."]


def page(groups):
    program, module = behind(groups)
    total = sum(1 for group in groups for row in group['rows'] if best_peer(row))
    none_ended = sum(1 for group in groups for row in group['rows'] if not best_peer(row))
    wrong = [(row, name, run) for group in groups for row in group['rows'] for name, run in row['runs'].items() if run.get('wrong')]
    lines = [
        '# countpm beside other programs that count matchings', '',
        *head(groups), 'Made from bench/results/peers/*.json by `scripts/peers render`; `scripts/peers` measures again.', '',
        'Times are CPU seconds (user and system), medians of the turns, with ' + ('one thread' if groups[0]['threads'] == 1 else f"{groups[0]['threads']} threads")
        + ' for each program.', 'On a busy machine CPU time is what can be compared; the load of each row is in the last tables.', '',
        '- **countpm** is the whole program: start, reading, count, checks, printing.',
        '- **Its Python module** and the **peers** are one call, after imports, after a small first call, and after the input was made.',
        '- A ratio above 1 says that countpm is ahead.', '- The ratio to the module compares call with call.',
        '- "n of m digits wrong" compares with the exact answer, an integer of m digits.', '- Answers that are no integers have 16 digits, as many as a double.',
        f"- A call was ended after {seconds(max(row['limit'] for group in groups for row in group['rows']))} s of CPU.",
        '- A peer that did not end, or failed, is not run on larger instances of that family.', '',
        f'Of {total} instances on which a peer ended, countpm\'s program is ahead on {total - len(program)}.',
        f"Its module is ahead on {sum(1 for group in groups for row in group['rows'] if (ratios(row)[1] or 0) >= 1)} of "
        f"{sum(1 for group in groups for row in group['rows'] if ratios(row)[1] is not None)}.", f'No peer ended on {none_ended} more.', '',
        '![Time of the best peer over that of countpm, each instance a point](../../docs/pictures/peers-ratios.svg)', '',
    ]
    for group in groups:
        lines += [f"## {group['title']}", '', *best_table(group), '']
    lines += ['## Where a peer is ahead', '']
    if module:
        lines += ['Of the module, call against call:', '', *behind_lines(module), '']
    elif any(time_of(row, 'countpm-module') for group in groups for row in group['rows']):
        lines += ['Nowhere of the module, call against call.', '']
    if program:
        lines += [f'The whole program starts and reads in some milliseconds, so peers that were imported beforehand are ahead of it on {len(program)} instances:', '',
                  *instances_lines(program), '']
    lines += ['## Wrong answers', '']
    if wrong:
        lines += [f"- {name}, {row['about']}: {run['wrong']}" for row, name, run in wrong]
    else:
        lines += ['None: all answers agree with countpm\'s as far as their arithmetic goes.', 'Rounding is in the tables.']
    lines += ['', '## All programs', '']
    for group in groups:
        lines += [f"### {group['title']}", '', *all_table(group), '']
    lines += ['## How each program was called', '',
              'CNF: a variable for each edge, a clause for each vertex, and no two of its edges.',
              '`-seq`: vertices of degree 5 and more by carry variables, which are defined both ways, so that the number of models is the same.',
              'Tensors: one for each vertex, a chain of them above degree 4.', 'Samples: 100 in a call, each checked to be a perfect matching.', '', '| program | package | how |', '|---|---|---|']
    notes = {}
    for group in groups:
        for name, each in group['programs'].items():
            notes.setdefault(name, each)
    lines += [f"| {name} | {each['package']} | {each['note']} |" for name, each in notes.items()]
    versions, missing = {}, {}
    for group in groups:
        versions.update(group['versions'])
        missing.update(group['missing'])
    lines += ['', '## Versions', '', '| package | version |', '|---|---|', *(f'| {name} | {version} |' for name, version in versions.items()), '',
              '## Not run', '', *(f'- {name}: {reason}' for name, reason in missing.items()), '']
    return '\n'.join(lines)


def reason(group, family):
    return REASONS.get((group, family)) or REASONS.get(group)


def range_of(values):
    low, high = min(values), max(values)
    return seconds(low) if low == high else f'{seconds(low)} to {seconds(high)}'


def families(rows):
    """{(group, title, family): its rows}."""
    found = {}
    for group, row in rows:
        found.setdefault((group['group'], group['title'], row['family']), []).append(row)
    return found


def slower_lines(rows, ours, with_reason):
    """A line for each family; a question or a reason that the line above has, too, is left out."""
    lines = ['| question | family | instances | other programs, s | countpm, s |' + (' why |' if with_reason else ''), '|---|---|---|---|---|' + ('---|' if with_reason else '')]
    above = ('', '')
    for (group, title, family), several in families(rows).items():
        best = [best_peer(row) for row in several]
        names = ', '.join(dict.fromkeys(name for _, name in best))
        said = (title, reason(group, family) if with_reason else '')
        title, why = ('' if new == old else new for new, old in zip(said, above))
        above = said
        lines.append(f"| {title} | {family} | {', '.join(row['instance'] for row in several)} | {names} {range_of([time for time, _ in best])} "
                     f"| {range_of([time_of(row, ours) for row in several])} |" + (f' {why} |' if with_reason else ''))
    return lines


def slower_page(groups):
    program, module = behind(groups)
    total = sum(1 for group in groups for row in group['rows'] if ratios(row)[1] is not None)
    lines = ['# Where other programs are faster', '', *head(groups), 'Seconds are CPU time with one thread; '
             '[bench/results/peers.md](../bench/results/peers.md) has all programs, instances and answers.', 'Made by `scripts/peers render`.', '',
             '## Calls from Python', '']
    if module:
        lines += [f'Call against call, another program needs less CPU time on {len(module)} of {total} instances.', 'Where they are rounded, bench/results/peers.md says so.',
                  'Answers of countpm are exact or carry a proven bound, and small matrices are counted twice.', 'An empty cell is as the one above it.', '', *slower_lines(module, 'countpm-module', True), '']
    else:
        lines += [f'Call against call, no other program needs less CPU time on any of {total} instances.', '']
    lines += ['## The command', '']
    if program:
        longest = max(time_of(row, 'countpm') for _, row in program)
        lines += ['The command `countpm` takes some milliseconds to start, to read a file and to plan.', f'So a library that is loaded already is ahead of it on {len(program)} instances.',
                  f'The longest of these takes {seconds(longest)} s.', 'For many small counts use the [Python module](python.md), the [library](library.md) or [`many`](many.md).', '',
                  *slower_lines(program, 'countpm', False), '']
    else:
        lines += ['No other program needs less CPU time than the whole command on any instance.', '']
    return '\n'.join(lines)


def rendered(folder):
    """What is written where: {path: text}."""
    groups = read(folder)
    if not groups:
        return {}
    files = {TOP / 'bench/results/peers.md': page(groups), TOP / 'docs/pictures/peers.svg': pictures.bars(groups),
             TOP / 'docs/pictures/peers-ratios.svg': pictures.ratios(groups), SLOWER: slower_page(groups), NUMBERS: numbers_page.page(groups)}
    return files


def write(files):
    for path, text in files.items():
        path.write_text(text, encoding='utf-8')


def differences(files):
    """Names of files that are not what the JSON says."""
    return [str(path.relative_to(TOP)) for path, text in files.items() if not path.exists() or path.read_text(encoding='utf-8') != text]


