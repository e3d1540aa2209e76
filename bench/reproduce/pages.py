"""From bench/results/reproduce/*.json the pages of docs/reproduce: a table for each table of a paper, published figure beside ours, and a picture for each paper.

Nothing is in them that is not in the JSON, but for the titles of papers.py: a test makes them again and compares.
"""

import json
import math
from pathlib import Path
from xml.sax.saxutils import escape

import papers
from pictures import picture
from render import seconds

TOP = papers.TOP
RESULTS = TOP / 'bench' / 'results' / 'reproduce'
PAGES = TOP / 'docs' / 'reproduce'
# What a row can have come to, in the order in which the first page counts them.
STATES = {'ok': 'reproduced', 'wrong': 'WRONG', 'not run': 'not run here', 'too long': 'too long', 'refused': 'refused', 'failed': 'failed', 'no input': 'no input',
          'elsewhere': 'answered elsewhere', 'missing': 'missing'}


def read(folder=RESULTS):
    """{paper: its JSON}."""
    found = {}
    for paper in papers.PAPERS:
        path = Path(folder) / f'{paper.name}.json'
        if path.exists():
            found[paper.name] = json.loads(path.read_text(encoding='utf-8'))
    return found


UNKNOWN = '?'


def published_text(figure, ours):
    """`ours`: the source of the page, which need not be said again."""
    if figure is None:
        return '-'
    if figure['seconds'] is None:
        return UNKNOWN if figure['text'] == papers.NOT_AT_HAND else figure['text']
    told = figure['source'].split()[-1] in ours or figure['source'] == 'thesis' and 'thesis' in ours
    return f"{figure['seconds']:,} s, {figure['machine']}" + ('' if told else f" ({figure['source']})")


def error_text(value):
    return '-' if value is None else value if isinstance(value, str) else '0' if value == 0 else f'{value:.1e}'


def errors_text(row):
    text = error_text(row.get('error'))
    if row.get('claimed'):
        text += f" (bound {error_text(row['claimed'])})" if row.get('samples') is None else f" (claimed {error_text(row['claimed'])})"
    if row.get('doubt'):
        text += ', in doubt'
    return text


def answer_text(row):
    answer = row.get('answer') or '-'
    if answer.startswith('lines '):
        return f"{answer[6:]} lines"
    return answer if len(answer) <= 40 else f'{answer[:10]}... ({len(answer)} characters)'


def machine_name(value, row):
    return value['machines'][row['machine']]['name'] if 'machine' in row else '-'


HEAD = ('what', 'published', 'whole program, s', 'counting, s', 'relative error', 'answer', 'method, or why there is none', 'on')


def shortened(what, before):
    """What a row says beyond the row above it: what both begin with, up to a comma, is an ellipsis."""
    same = 0
    for at, letter in enumerate(what):
        if at >= len(before) or before[at] != letter:
            break
        if what[at:at + 2] == ', ':
            same = at
    return f'...{what[same:]}' if same else what


def without_repeats(name, text, above):
    """A cell, and what is left of it below `above`, the one above it: what tells the row from others keeps its difference."""
    if above is None:
        return text
    if name == 'what':
        return shortened(text, above)
    return '' if name in ('published', 'method, or why there is none', 'on') and text == above and text != '-' else text


def row_cells(row, value, ours):
    """As HEAD names them."""
    what, published, where = row['about'], published_text(row.get('published'), ours), machine_name(value, row)
    if row['status'] in ('ok', 'wrong'):
        bad = ' **WRONG**' if row['status'] == 'wrong' else ''
        return [what, published, seconds(row['whole']), seconds(row['kernel']), errors_text(row), answer_text(row) + bad, row.get('note') or row.get('method') or '-', where]
    return [what, published, '-', '-', '-', '-', f"{STATES[row['status']]}: {row['reason'].split(';')[0]}", where]


def table_of(rows, value, ours):
    """Columns that would say the same in every row are left out; what they say is a sentence above the table."""
    cells = [row_cells(row, value, ours) for row in rows]
    said, kept = [], []
    for column, name in enumerate(HEAD):
        found = {line[column] for line in cells} - {'-'}
        if name == 'on' and len(found) == 1 and len(value['machines']) > 1:
            said.append(f'Machine: {found.pop()}.')
        elif name == 'published' and found == {UNKNOWN}:
            said.append("The paper's figures are not at hand.")
        elif found and (name != 'on' or len(found) > 1):
            kept.append(column)
    shown = [[without_repeats(HEAD[column], line[column], above[column] if above else None) for column in kept] for above, line in zip([None, *cells], cells)]
    return [*said, *([''] if said else [])] + [f"| {' | '.join(HEAD[column] for column in kept)} |", '|---' * len(kept) + '|',
                    *(f"| {' | '.join(line)} |" for line in shown), '']


def table_lines(table, value, ours):
    """The rows that are missing, or answered elsewhere, stand in lists of their own below the table."""
    rows = value['rows']
    lines = [f'## {table.title}', '']
    if table.intro:
        lines += [table.intro, '']
    there = [rows[f'{table.name}/{row.name}'] for row in table.rows if f'{table.name}/{row.name}' in rows]
    shown = [row for row in there if row['status'] not in ('missing', 'elsewhere')]
    if shown:
        lines += table_of(shown, value, ours)
    lines += error_lines(there)
    for status, title in (('elsewhere', 'Answered elsewhere:'), ('missing', 'Missing:')):
        said = [row for row in there if row['status'] == status]
        if said:
            lines += [title, '', *(f"- {sentence(row['about'])}\n  {sentence(row['reason'])}" for row in said), '']
    return lines


def sentence(text):
    if text.startswith('docs/'):
        return f'See {text}.'
    word = text.split()[0].rstrip(',:;')
    return (text[0].upper() + text[1:] if word.isalpha() and len(word) > 1 or word == 'a' else text) + '.'


def error_lines(rows):
    """Relative errors of other ways, a line for each, and a column for each row that has them: there are more ways than rows, with longer names."""
    rows = [row for row in rows if row.get('errors')]
    ways = list(dict.fromkeys(way for row in rows for way in row['errors']))
    if not ways:
        return []
    return ['Relative errors in floating point:', '', f"| | {' | '.join(row['about'] for row in rows)} |", '|---' * (1 + len(rows)) + '|',
            *(f"| {way} | {' | '.join(error_text(row['errors'].get(way)) for row in rows)} |" for way in ways), '']


def head(value):
    lines = []
    for key, machine in value['machines'].items():
        rows = [row for row in value['rows'].values() if row.get('machine') == key]
        dates = sorted({row['date'] for row in rows})
        loads = [load for row in rows for load in row.get('load', ())]
        span = dates[0] if len(dates) == 1 else f'{dates[0]} to {dates[-1]}'
        cards = f", {', '.join(machine['gpus'])}" if machine['gpus'] else ', no GPU'
        name = f"Machine ({machine['name']})" if len(value['machines']) > 1 else 'Machine'
        lines += [f"Measured {span} with {machine['countpm']}, commit {machine['commit']}.",
                  f"{name}: {machine['cores']} cores of {machine['cpu']}{cards}, load {min(loads):g} to {max(loads):g}; {machine['threads']} threads.", '']
    return lines[:-1] or ['Not run.']


def page(paper, value):
    lines = [f'# {paper.title}', '', f'{paper.source}.', '', *head(value),
             f'Made by `scripts/reproduce {paper.name}` from bench/results/reproduce/{paper.name}.json.', '',
             'Seconds are wall time, of one run each.', '"Whole program" includes start, reading, planning and checks; "counting" is the part that papers measure.',
             'A relative error is that of the answer against the known value, with the bound that countpm itself prints.', '']
    tables = [line for table in paper.tables for line in table_lines(table, value, paper.source)]
    if any(f'| {UNKNOWN} |' in line for line in tables):
        lines[-1:] = [f'"{UNKNOWN}": the paper has a figure, and this project has no copy of it.', '']
    if any(line.startswith('| ...') or '|  |' in line for line in tables):
        lines[-1:] = ['An empty cell is as the one above it, and "..." is what that one begins with.', '']
    if has_picture(paper, value):
        lines += [f"![Published seconds and countpm's](../pictures/reproduce-{paper.name}.svg)", '']
    return '\n'.join(lines + tables)


def index(values):
    lines = ['# Published tables, measured again', '',
             'Five papers whose methods or questions countpm shares, row by row: what was published, and what countpm takes.', 'A row that countpm cannot vary or do is listed as missing, with the reason.',
             '"Answered elsewhere" is what another page has.', 'Permanents that others have rounded or wrong: [numbers](numbers.md).', '',
             '`scripts/reproduce --list` names the rows.',
             '`scripts/reproduce --short` runs those that two cores do in minutes, `scripts/reproduce --gpu` all of them.',
             'Both keep what is done, and go on where they were stopped.', '',
             '| paper | ' + ' | '.join(STATES.values()) + ' |', '|---' * (1 + len(STATES)) + '|']
    for paper in papers.PAPERS:
        if paper.name in values:
            states = [row['status'] for row in values[paper.name]['rows'].values()]
            lines.append(f"| [{paper.title}]({paper.name}.md) | " + ' | '.join(str(states.count(state)) for state in STATES) + ' |')
    return '\n'.join(lines) + '\n'


def pairs(paper, value):
    """(what, published, whole program, name of our machine) of the rows that have both figures."""
    found = []
    for table in paper.tables:
        for row in table.rows:
            kept = value['rows'].get(f'{table.name}/{row.name}')
            if kept and kept['status'] == 'ok' and kept['published'] and kept['published']['seconds'] is not None and kept.get('whole') is not None:
                found.append((kept['about'], kept['published'], kept['whole'], machine_name(value, kept)))
    return found


def has_picture(paper, value):
    return bool(pairs(paper, value))


def drawing(paper, value):
    """For each row with both figures a bar of the published seconds and one of countpm's whole program, on a logarithmic scale."""
    left, wide, line, low, high = 190, 470, 17, -3, 6
    body, y = [], 50

    def x(number):
        return left + wide * (min(max(math.log10(max(number, 1e-9)), low), high) - low) / (high - low)
    for about, figure, whole, ours in pairs(paper, value):
        y += 16
        body.append(f'<text class="title" x="8" y="{y}">{escape(about)}</text>')
        y += 6
        for name, number, kind in (('published', figure['seconds'], 'peer'), ('countpm, whole program', whole, 'ours')):
            body.append(f'<text x="{left - 8}" y="{y + 12}" text-anchor="end">{name}</text>')
            body.append(f'<rect class="{kind}" x="{left}" y="{y + 2}" width="{max(x(number) - left, 1):.1f}" height="{line - 5}"/>')
            where = figure['machine'] if kind == 'peer' else ours
            body.append(f'<text class="small" x="{x(number) + 5:.1f}" y="{y + 12}">{seconds(number)} s, {escape(where)}</text>')
            y += line
        y += 6
    grid = []
    for power in range(low, high + 1):
        at = x(10.0 ** power)
        label = {-3: '1 ms', -2: '10 ms', -1: '0.1 s', 0: '1 s', 1: '10 s', 2: '100 s', 3: '1000 s', 4: '10^4 s', 5: '10^5 s', 6: '10^6 s'}[power]
        grid.append(f'<line class="grid" x1="{at:.1f}" y1="42" x2="{at:.1f}" y2="{y}"/><text class="small" x="{at:.1f}" y="36" text-anchor="middle">{label}</text>')
    return picture(left + wide + 240, y + 8, f'{paper.title}: seconds, logarithmic', grid + body)


def rendered(folder=RESULTS):
    """{path: text}."""
    values = read(folder)
    if not values:
        return {}
    files = {PAGES / 'overview.md': index(values)}
    for paper in papers.PAPERS:
        if paper.name in values:
            value = values[paper.name]
            files[PAGES / f'{paper.name}.md'] = page(paper, value)
            if has_picture(paper, value):
                files[TOP / 'docs' / 'pictures' / f'reproduce-{paper.name}.svg'] = drawing(paper, value)
    return files


def write(files):
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding='utf-8')


def differences(files):
    return [str(path.relative_to(TOP)) for path, text in files.items() if not path.exists() or path.read_text(encoding='utf-8') != text]
