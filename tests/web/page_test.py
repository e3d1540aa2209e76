"""page_test.py [PAGE] [--program PROGRAM] [--pictures FOLDER] [--goals] [--firefox] [--only NAME]...: tries the built page (scripts/build-web) in Chromium.

It draws with mouse, finger and keys, counts, samples, stops, drops files, follows links, keeps files, and compares with known numbers; with PROGRAM,
also with what the command that the page shows prints. It measures the page 360 and 1280 pixels wide, light and dark. PAGE is build/web/countpm.html,
opened as a file, or an address. With --pictures it leaves pictures of the window, with --goals it measures, and is wrong where a goal is missed.
With --firefox it does the same in Firefox.

Exit code 0: nothing is wrong; 1: something is, each thing on a line; 77: there is no such browser or no page. Python's standard library only.
"""
import argparse
import hashlib
import json
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / 'packaging' / 'site'))
import look  # noqa: E402
from firefox import Firefox  # noqa: E402

PATIENCE = 120  # seconds; for what would otherwise never end

# What is downloaded is kept, in place of a file: [name, text].
KEEP = '''
window.kept = [];
{
  const create = URL.createObjectURL.bind(URL);
  URL.createObjectURL = (blob) => { const address = create(blob); blob.text().then((text) => { window.texts ??= new Map(); window.texts.set(address, text); }); return address; };
  HTMLAnchorElement.prototype.click = function () { window.kept.push([this.download, this.href]); };
}
0'''


class Page:
    """The page in a browser, as somebody who uses it."""

    def __init__(self, browser, address):
        self.browser, self.address = browser, address

    def open(self, fragment=''):
        self.browser.open('about:blank')
        self.browser.open(self.address + fragment)
        self.browser.run(KEEP)

    def run(self, code):
        return self.browser.run(code)

    def wait(self, condition, what):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            value = self.run(condition)
            if value:
                return value
            time.sleep(0.02)
        raise AssertionError(f'waited {PATIENCE} s for {what}; the page says: {self.run("document.body.innerText")[:400]}')

    def counted(self):
        """The count, once there is one; ? where there is none."""
        return self.wait('document.body.dataset.counted', 'a count')

    def drawn(self, view):
        return self.wait(f"(document.body.dataset.drawn || '').startsWith('{view}') && document.body.dataset.drawn", f'the picture {view}')

    def forget(self):
        self.run('delete document.body.dataset.counted; delete document.body.dataset.drawn; 0')

    def click(self, selector):
        self.run(f'document.querySelector({json.dumps(selector)}).click()')

    def text(self, name):
        return self.run(f"document.getElementById('{name}').textContent")

    def place(self, x, y):
        """Where a point of the grid is in the window."""
        return self.run(f"(() => {{ const box = document.getElementById('canvas').getBoundingClientRect(), view = window.countpmStage.view;"
                        f"return [box.left + view.x + {x} * view.scale, box.top + view.y + {y} * view.scale]; }})()")

    def mouse(self, *points, button='left'):
        """Presses at the first point, moves over the others and lets go at the last."""
        places = [self.place(*point) for point in points]
        held = {'left': 1, 'right': 2}[button]
        self.browser.call('Input.dispatchMouseEvent', type='mousePressed', x=places[0][0], y=places[0][1], button=button, buttons=held, clickCount=1)
        for x, y in places[1:]:
            self.browser.call('Input.dispatchMouseEvent', type='mouseMoved', x=x, y=y, button=button, buttons=held)
        self.browser.call('Input.dispatchMouseEvent', type='mouseReleased', x=places[-1][0], y=places[-1][1], button=button, clickCount=1)

    def finger(self, *points):
        places = [self.place(*point) for point in points]
        self.browser.call('Input.dispatchTouchEvent', type='touchStart', touchPoints=[{'x': places[0][0], 'y': places[0][1]}])
        for x, y in places[1:]:
            self.browser.call('Input.dispatchTouchEvent', type='touchMove', touchPoints=[{'x': x, 'y': y}])
        self.browser.call('Input.dispatchTouchEvent', type='touchEnd', touchPoints=[])

    def key(self, name, text=None, **more):
        extra = {'text': text} if text else {}
        self.browser.call('Input.dispatchKeyEvent', type='keyDown', key=name, code=name, **extra, **more)
        self.browser.call('Input.dispatchKeyEvent', type='keyUp', key=name, code=name, **more)

    def drop(self, name, data):
        numbers = list(data if isinstance(data, bytes) else data.encode())
        self.run(f"(() => {{ const data = new DataTransfer(); data.items.add(new File([new Uint8Array({numbers})], {json.dumps(name)}));"
                 "dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true})); })()")

    def keep(self, button):
        """Presses a button that keeps a file: (name, text)."""
        self.run('window.kept.length = 0')
        self.click(f'#{button}')
        name, address = self.wait('window.kept[0]', f'the file of {button}')
        return name, self.wait(f'window.texts?.get({json.dumps(address)})', 'its text')


def equal(found, expected, what):
    if found != expected:
        raise AssertionError(f'{what}: {found!r}, not {expected!r}')


def opens(page, _):
    page.open()
    equal(page.counted(), '12988816', 'a chessboard')
    equal(page.text('count').replace('\u2009', ''), '12988816', 'as it is shown')
    equal(page.text('command'), 'countpm lattice:square:8x8', 'the command')
    loaded = page.run("performance.getEntriesByType('resource').map((entry) => entry.name)")
    own = page.address.rsplit('/', 1)[0]
    equal([name for name in loaded if not name.startswith((own, 'blob:', 'data:'))], [], 'what it loads from elsewhere')


def shapes(page, _):
    for fragment, count in (('grid=square&shape=board:4x4', '36'), ('grid=square&shape=aztec:6', str(2 ** 21)), ('grid=triangular&shape=hexagon:4x4x4', '232848'),
                            ('grid=hexagonal&shape=rhombus:8x8', '1848358752'), ('grid=carbon&shape=coronene:2', '20'), ('grid=carbon&shape=kekulene', '200'),
                            ('grid=carbon&shape=c60', '12500'), ('grid=carbon&shape=triangulene:3', '0'), ('grid=square&shape=corners:8', '0')):
        page.open('#' + fragment)
        equal(page.counted(), count, fragment)
    page.open('#grid=square&shape=board:2x2')
    page.counted()
    page.forget()
    page.run("(() => { const select = document.getElementById('shape'); select.value = 'aztec'; select.dispatchEvent(new Event('change')); })()")
    equal(page.counted(), str(2 ** 210), 'an Aztec diamond that was chosen')


def why_none(page, _):
    page.open('#grid=square&shape=corners:8')
    equal(page.counted(), '0', 'a chessboard without two corners')
    if 'There is none' not in page.text('about'):
        raise AssertionError(f'it does not say why: {page.text("about")}')


def mouse_and_undo(page, _):
    page.open('#grid=square&shape=board:4x4')
    equal(page.counted(), '36', 'a board')
    page.forget()
    page.click('input[value="erase"]')
    page.mouse((0.5, 0.5), (1.5, 0.5), (2.5, 0.5), (3.5, 0.5))
    equal(page.counted(), '11', 'without its first row')
    equal(page.text('command'), 'countpm lattice:square:3x4', 'the command of what is left')
    page.forget()
    page.click('#undo')
    equal(page.counted(), '36', 'undone')
    page.forget()
    page.click('#redo')
    equal(page.counted(), '11', 'done again')
    page.forget()
    page.click('input[value="draw"]')
    page.mouse((0.5, 0.5), (3.5, 0.5))
    equal(page.counted(), '36', 'drawn in one go')
    page.forget()
    page.mouse((0.5, 0.5), (1.5, 0.5), button='right')
    equal(page.counted(), '18', 'the right button erases')


def fingers(page, _):
    page.open('#grid=square&shape=board:4x4')
    page.counted()
    page.forget()
    page.click('input[value="erase"]')
    page.finger((0.5, 3.5), (1.5, 3.5), (2.5, 3.5), (3.5, 3.5))
    equal(page.counted(), '11', 'erased by a finger')
    # Two fingers that go apart make the picture larger, and draw nothing.
    page.forget()
    before = page.run('window.countpmStage.view.scale')
    for kind, apart in (('touchStart', 0), ('touchMove', 10), ('touchMove', 40), ('touchEnd', None)):
        points = [] if apart is None else [{'x': 300 - apart, 'y': 400, 'id': 0}, {'x': 400 + apart, 'y': 400, 'id': 1}]
        page.browser.call('Input.dispatchTouchEvent', type=kind, touchPoints=points)
    page.run('new Promise((done) => setTimeout(done, 400))')
    if page.run('window.countpmStage.view.scale') < 1.3 * before:
        raise AssertionError('two fingers do not change the size')
    equal(page.text('count'), '11', 'after two fingers')


def keys(page, _):
    page.open('#grid=square&box=0,0,2,3&cells=r0.6')
    equal(page.counted(), '3', 'a board of 2 x 3')
    page.run("document.getElementById('canvas').focus()")
    page.forget()
    # The cursor begins at the first cell: one to the right, one down, erase, and the same above.
    for name, text in (('ArrowRight', None), ('ArrowRight', None), (' ', ' ')):
        page.key(name, text)
    if page.run("document.querySelector('#hint').textContent").find('empty') < 0:
        raise AssertionError('the cursor does not say what it did')
    page.key('ArrowDown')
    page.key(' ', ' ')
    page.forget()
    page.run("new Promise((done) => setTimeout(done, 600))")
    equal((page.counted(), page.text('message-text')), ('1', ''), 'the keys erased two of six cells')


def pictures(page, _):
    page.open('#grid=square&shape=aztec:10&view=tiling')
    page.counted()
    page.drawn('tiling')
    first = page.keep('save-svg')[1]
    dominoes = sum(part.count('M') for part in first.split('d="')[1:])
    equal(dominoes, 110, 'dominoes in the picture')
    page.forget()
    page.mouse((10, 10))
    page.drawn('tiling')
    if page.keep('save-svg')[1] == first:
        raise AssertionError('a click draws no other tiling')
    page.forget()
    page.click('input[value="probabilities"]')
    page.drawn('probabilities')
    if page.run("document.getElementById('legend').hidden"):
        raise AssertionError('probabilities without a scale')
    page.open('#grid=triangular&shape=hexagon:5x5x5&view=surface')
    page.drawn('surface')
    before = page.keep('save-svg')[1]
    page.mouse((2, 0), (3, 1), (5, 2))
    if page.keep('save-svg')[1] == before:
        raise AssertionError('the surface does not turn')
    page.open('#grid=carbon&shape=acene:2&view=probabilities')
    page.drawn('probabilities')
    svg = page.keep('save-svg')[1]
    equal((svg.count('>1/3<'), svg.count('>2/3<')), (7, 4), "naphthalene's bond orders")


def set_weight(page, value):
    """The first direction's, as if it were typed."""
    page.run(f"(() => {{ const field = document.querySelector('#weights input[type=text]'); field.value = '{value}'; field.dispatchEvent(new Event('input')); }})()")


def weights(page, _):
    page.open('#grid=square&shape=board:2x3')
    equal(page.counted(), '3', 'a board of 2 x 3')
    page.forget()
    set_weight(page, '2')
    # Both rows across would be 2 x 2, beside an upright one; and three upright ones.
    equal(page.counted(), '9', 'with a weight of 2 across')
    equal(page.text('command'), 'countpm lattice:square:2x3:weights=2,1', 'the command')
    page.forget()
    set_weight(page, '0.5')
    equal(page.counted(), '3/2', 'decimals are exact')


def links(page, _):
    page.open('#grid=square&shape=board:6x6')
    page.counted()
    page.forget()
    page.click('input[value="erase"]')
    page.mouse((2.5, 2.5), (3.5, 2.5), (3.5, 3.5), (2.5, 3.5))
    count = page.counted()
    fragment = page.wait("location.hash.includes('cells=') && location.hash", 'a link')
    page.open(fragment)
    equal(page.counted(), count, 'by the link')


FILES = [('square.edgelist', 'a b\nb c\nc d\nd a\n', '2'), ('m.mtx', '%%MatrixMarket matrix coordinate pattern general\n2 2 4\n1 1\n1 2\n2 1\n2 2\n', '2'),
         ('petersen.g6', 'IheA@GUAo\n', '6'), ('k4.dot', 'graph { a -- {b c d}; b -- {c d}; c -- d }\n', '3'), ('m.dense', '1110\n1111\n0111\n1011\n', '11'),
         ('a.csv', 'source,target\n1,2\n2,3\n3,4\n4,1\n', '2'), ('a.json', '{"nodes":[{"id":1},{"id":2}],"links":[{"source":1,"target":2}]}', '1')]


def files(page, _):
    page.open()
    page.counted()
    for name, text, count in FILES:
        page.forget()
        page.drop(name, text)
        equal(page.counted(), count, name)
        if page.run("document.getElementById('question').textContent") == 'Domino tilings':
            raise AssertionError(f'{name}: it is called a tiling')
        page.wait("!document.getElementById('paper').hidden && document.querySelector('#paper img').naturalWidth > 0", f'a picture of {name}')
    page.forget()
    page.drop('ring.board', '####\n#..#\n#..#\n####\n')
    equal(page.counted(), '2', 'a board becomes a drawing')
    equal(page.run('document.querySelector(\'input[name="family"]:checked\').value'), 'square', 'its grid')
    page.forget()
    page.click('#open-paste')
    page.run("document.getElementById('paste-text').value = 'a b\\nb c\\nc a\\n'; document.getElementById('paste-kind').value = 'directed'; document.getElementById('paste-count').click()")
    equal(page.counted(), '1', 'a pasted directed triangle')


BAD = [('bad.mtx', '%%MatrixMarket matrix coordinate pattern general\n2 2 1\n5 1\n'), ('bad.edgelist', 'a b\na b\n'), ('bad.g6', 'A\x7f\x7f\n'), ('bad.json', '{"nodes": ['),
       ('empty.edgelist', '')]


def bad_files(page, program):
    page.open()
    page.counted()
    for name, text in BAD:
        page.forget()
        page.drop(name, text)
        page.wait("!document.getElementById('message').hidden", f'a message about {name}')
        equal(page.counted(), '?', name)
        said = page.text('message-text')
        if not program:
            continue
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, name).write_text(text)
            error = json.loads(subprocess.run([program, name, '--json'], cwd=folder, capture_output=True, text=True, check=False).stdout)['error']['message']
        equal(said, error, name)


def same_command(page, program):
    """What the page shows as the command gives the same number, where the program is."""
    if not program:
        print('the commands that the page shows are not run: there is no program')
        return
    fragments = ['grid=square&shape=aztec:5', 'grid=square&shape=holes:10', 'grid=square&shape=ring:8x3&weights=2/3,0.5', 'grid=square&shape=lshape:8&weights=3,1',
                 'grid=triangular&shape=hexagon:2x3x4&weights=2,1/3,1', 'grid=triangular&shape=holed:6', 'grid=triangular&shape=strip:3x4', 'grid=hexagonal&shape=honeycomb:3',
                 'grid=hexagonal&shape=rhombus:4x4&weights=1,2,3', 'grid=carbon&shape=pyrene', 'grid=carbon&shape=coronene:3', 'grid=carbon&shape=kekulene&weights=1,2,1',
                 'grid=carbon&shape=c60', 'grid=square&box=0,0,3,4&cells=r0.5.2.5']
    for fragment in fragments:
        page.open('#' + fragment)
        count = page.counted()
        command = shlex.split(page.text('command'))
        equal(command[0], 'countpm', 'the command')
        with tempfile.TemporaryDirectory() as folder:
            name, text = page.keep('save-list')
            Path(folder, name).write_text(text)
            answer = subprocess.run([program, *command[1:]], cwd=folder, capture_output=True, text=True, check=False)
            equal(answer.stdout.strip(), count, f'{fragment}: {" ".join(command)}: {answer.stderr}')


def proof(page, _):
    page.open('#grid=square&shape=board:6x6')
    page.counted()
    name, text = page.keep('save-proof')
    equal(name, 'proof.json', 'its name')
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, name).write_text(text)
        answer = subprocess.run([sys.executable, TOP / 'tools' / 'check_proof.py', Path(folder, name)], capture_output=True, text=True, check=False)
    if 'proved: 6728' not in answer.stdout:
        raise AssertionError(f'the proof: {answer.stdout}{answer.stderr}')


# Of each word of a hash a row: nothing for a method to hold on to.
DENSE = ''.join(''.join('01'[bit % 8 < 5] for bit in hashlib.shake_256(bytes([row])).digest(60)) + '\n' for row in range(60))


def limits(page, _):
    page.open()
    page.counted()
    page.forget()
    # 60 rows, 62 % ones: years.
    page.drop('dense.dense', DENSE)
    page.wait("!document.getElementById('message').hidden", 'a refusal')
    said = page.text('message-text')
    if 'time' not in said or page.run("document.getElementById('unlimited').parentElement.hidden"):
        raise AssertionError(f'a count that takes years is not refused as it should be: {said}')
    page.forget()
    page.click('#unlimited')
    page.wait("!document.getElementById('work').hidden", 'progress')
    page.click('#stop')
    page.wait("document.getElementById('about').textContent === 'Stopped.'", 'the end')
    page.forget()
    page.drop('square.edgelist', 'a b\nb c\nc d\nd a\n')
    equal(page.counted(), '2', 'the next count')


# Looked at in the light alone: their colours are in others' pictures, too.
DARK_ENOUGH = ('hexagons', 'net', 'long', 'board')


def looks(page, options):
    """Nothing is cut off at 360 and 1280 pixels, writing has contrast, and each control has a name."""
    wrong = []
    for scheme in look.SCHEMES:
        page.browser.scheme(scheme)
        for width, height in ((1280, 800), (360, 740)):
            page.browser.size(width, height)
            for name, fragment in (('board', ''), ('aztec', '#grid=square&shape=aztec:50&view=tiling'), ('heat', '#grid=square&shape=holes:20&view=probabilities'),
                                   ('cubes', '#grid=triangular&shape=hexagon:12x12x12&view=surface'), ('hexagons', '#grid=hexagonal&shape=honeycomb:4&view=tiling'),
                                   ('bonds', '#grid=carbon&shape=coronene:2&view=probabilities'), ('net', '#grid=carbon&shape=c60&view=tiling'),
                                   ('none', '#grid=square&shape=corners:8'), ('long', '#grid=square&shape=board:40x40')):
                if scheme == 'dark' and name in DARK_ENOUGH:
                    continue
                page.open(fragment)
                page.counted()
                if 'view=' in fragment:
                    page.drawn(fragment.split('view=')[1])
                page.run('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 60)))')
                found = page.run(look.MEASURE)
                wrong += [f'{name}, {width} pixels, {scheme}: {text}' for text in found['said']]
                nameless = page.run('''[...document.querySelectorAll('button, input, select, textarea, canvas')].filter((e) => e.checkVisibility()
                    && !(e.getAttribute('aria-label') || e.textContent.trim() || e.closest('label')?.textContent.trim())).map((e) => e.outerHTML.slice(0, 80))''')
                wrong += [f'{name}: a control without a name: {text}' for text in nameless]
                wrong += [f'{name}, {width} pixels: {text}' for text in page.run('''(() => {
                    const boxes = [...document.querySelectorAll('.tools, .legend')].filter((e) => e.checkVisibility()).map((e) => e.getBoundingClientRect());
                    return boxes.flatMap((a, k) => boxes.slice(k + 1).filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
                        .map(() => 'one control lies on another'));
                    })()''')]
                wrong += [f'{name}, {width} pixels, {scheme}: {text}' for text in look.picture_findings(page.browser.picture(width, height, scale=0.25), scheme)]
                if options.pictures:
                    options.pictures.mkdir(parents=True, exist_ok=True)
                    tall = min(found['height'], 3000)
                    (options.pictures / f'{name}-{width}-{scheme}.png').write_bytes(page.browser.picture(width, tall, full=True))
    page.browser.scheme('light')
    page.browser.size(1280, 800)
    if wrong:
        raise AssertionError('\n  '.join(wrong))


def goals(page):
    """Seconds, and the goal of each; the page's own, from the wish to the picture on the canvas."""
    figures = []

    def measure(name, goal, fragment, view):
        page.open(fragment)
        page.counted()
        page.wait('!document.body.dataset.busy', 'quiet')
        page.forget()
        begun = time.monotonic()
        if view is None:
            page.run("window.countpmAsk()")
            page.counted()
        else:
            page.click(f'input[value="{view}"]')
            page.drawn(view)
        figures.append((name, time.monotonic() - begun, goal))

    page.browser.open('about:blank')
    begun = time.monotonic()
    page.browser.open(page.address)
    page.counted()
    figures.append(('first count after opening', time.monotonic() - begun, 1))
    holes = '#grid=square&shape=holes:60'
    measure('60 x 60 with holes: count', 2, holes, None)
    measure('60 x 60 with holes: sample', 1, holes, 'tiling')
    measure('60 x 60 with holes: marginals', 3, holes, 'probabilities')
    page.open('#grid=square&shape=aztec:200')
    page.run("new Promise((done) => setTimeout(done, 1000))")
    page.forget()
    begun = time.monotonic()
    page.click('input[value="tiling"]')
    page.drawn('tiling')
    page.run('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    figures.append(('Aztec diamond of order 200: sample and picture', time.monotonic() - begun, 3))
    for name, seconds, goal in figures:
        print(f'{name}: {seconds:.2f} s (goal {goal} s)')
    return sum(seconds > goal for _, seconds, goal in figures)


TESTS = (opens, shapes, why_none, mouse_and_undo, fingers, keys, pictures, weights, links, files, bad_files, same_command, proof, limits, looks)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('page', nargs='?', default=str(TOP / 'build' / 'web' / 'countpm.html'))
    parser.add_argument('--program', type=Path)
    parser.add_argument('--pictures', type=Path)
    parser.add_argument('--goals', action='store_true')
    parser.add_argument('--firefox', action='store_true')
    parser.add_argument('--only', action='append', default=[])
    options = parser.parse_args()
    names = ('firefox-esr', 'firefox') if options.firefox else ('chromium', 'chromium-browser', 'google-chrome')
    browser_program = next(filter(None, map(shutil.which, names)), None)
    if not browser_program:
        print(f'there is no {names[0]} in PATH (scripts/bootstrap --browser)')
        return 77
    address = options.page
    if '://' not in address:
        if not Path(address).is_file():
            print(f'there is no {address} (scripts/build-wasm, then scripts/build-web)')
            return 77
        address = Path(address).resolve().as_uri()
    program = options.program.resolve() if options.program and options.program.is_file() else None
    browser, wrong = (Firefox if options.firefox else look.Chromium)(browser_program), 0
    try:
        browser.scheme('light')
        browser.size(1280, 800)
        browser.call('Emulation.setTouchEmulationEnabled', enabled=True)
        page = Page(browser, address)
        for test in TESTS:
            if options.only and test.__name__ not in options.only:
                continue
            begun = time.monotonic()
            try:
                test(page, options if test is looks else program)
                print(f'{test.__name__}: right ({time.monotonic() - begun:.1f} s)', flush=True)
            except (AssertionError, RuntimeError) as error:
                print(f'{test.__name__}: {error}', flush=True)
                wrong += 1
        if options.goals:
            wrong += goals(page)
    finally:
        browser.close()
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
