"""look.py SITE [--pictures FOLDER] [--page NAME]... [--full]: looks at the built site in Chromium, without a display, and says what is wrong.
look.py --try: looks at pages that are wrong, and fails where it does not find that.

Every page but those of the C++ reference, of which it takes a few, is laid out 1280 and 390 pixels wide, light and dark. It is wrong where
  - the page is wider than the window, so that it scrolls sideways
  - a table, or a cell's content, is cut off, or at 1280 pixels does not fit its column
  - writing has a contrast below 4.5 with what is behind it (W3C, WCAG 2.1, 1.4.3; 3 for large writing)
  - a picture of the window is blank, or not light or dark as it should be
With --pictures it leaves the pictures of the pages named by PICTURES (with --page, of those pages) in a folder; with --full whole pages.

Exit code 0: nothing is wrong; 1: something is, each thing on a line; 77: there is no Chromium, or no site that is newer than its sources.
Speaks to Chromium by its DevTools protocol through a pipe. Python's standard library only.
"""
import argparse
import base64
import collections
import fcntl
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

WIDTHS = {1280: 900, 390: 844}
SCHEMES = {'light': 'default', 'dark': 'slate'}
PICTURES = ('index', 'which-command', 'gallery', 'guides/dimers', 'options', 'methods', 'json', 'lattices', 'pictures', 'python-reference',
            'results/counting-cpu', 'cpp/namespacecountpm')
CPP = ('index', 'namespacecountpm', 'annotated', 'classcountpm_1_1Graph', 'structcountpm_1_1CountOptions')
TOP = Path(__file__).resolve().parents[2]

# What a page shows, as it is laid out now.
MEASURE = r'''
(() => {
  const root = document.documentElement, width = root.clientWidth;
  const said = [], name = (e) => {
    const path = [];
    for (let at = e; at && at !== document.body && path.length < 3; at = at.parentElement)
      path.unshift(at.tagName.toLowerCase() + (at.classList.length ? '.' + at.classList[0] : ''));
    return path.join(' > ') + ' "' + e.textContent.trim().replace(/\s+/g, ' ').slice(0, 50) + '"';
  };
  const shown = (e) => e.checkVisibility({opacityProperty: true, visibilityProperty: true}) && e.getClientRects().length > 0;
  const scroller = (e) => {
    for (let at = e.parentElement; at && at !== root; at = at.parentElement)
      if (['auto', 'scroll'].includes(getComputedStyle(at).overflowX) && at !== document.body) return at;
    return null;
  };
  if (root.scrollWidth > width) {
    const wide = [...document.body.querySelectorAll('*')].filter(
        (e) => shown(e) && e.getBoundingClientRect().right > width + 1 && !scroller(e));
    said.push(`${root.scrollWidth} pixels wide` + (wide.length ? ', by ' + name(wide[wide.length - 1]) : ''));
  }
  const tables = [...document.querySelectorAll('.md-content table, div.contents table')].filter(shown);
  let scrolling = 0;
  for (const table of tables) {
    const box = scroller(table), right = table.getBoundingClientRect().right;
    if (table.closest('.highlighttable, .memname, .memberdecls, .directory, .mlabels, .fieldtable, .params, .exception')) continue;
    if (box ? right > box.getBoundingClientRect().right + 1 : right > width + 1) {
      scrolling += 1;
      if (!box) said.push('a table is cut off: ' + name(table));
      else if (width > 1000) said.push(`a table does not fit, by ${Math.round(right - box.getBoundingClientRect().right)} pixels: ` + name(table));
    }
    for (const cell of table.querySelectorAll('td, th'))
      if (cell.scrollWidth > cell.clientWidth + 1 && cell.clientWidth) { said.push('a cell is cut off: ' + name(cell)); break; }
  }
  const numbers = (colour) => {
    const canvas = numbers.canvas ??= new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
    if (numbers.known?.has(colour)) return numbers.known.get(colour);
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    const value = [r, g, b, a / 255];
    (numbers.known ??= new Map()).set(colour, value);
    return value;
  };
  const over = (top, under) => [0, 1, 2].map((k) => top[k] * top[3] + under[k] * (1 - top[3])).concat(1);
  const luminance = (c) => [0.2126, 0.7152, 0.0722].reduce((sum, share, k) => {
    const v = c[k] / 255;
    return sum + share * (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  }, 0);
  const ground = (e) => {
    const layers = [];
    for (let at = e; at; at = at.parentElement) {
      const style = getComputedStyle(at), colour = numbers(style.backgroundColor);
      if (style.backgroundImage !== 'none' && at !== document.body) return null;
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255, 1]);
  };
  const seen = new Map(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let writing = 0;
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || ['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE'].includes(e.tagName) || e.closest('svg, [hidden], .headerlink, .md-skip')) continue;
    const style = getComputedStyle(e), key = style.color + style.fontSize + style.fontWeight + (e.className || '') + e.tagName + e.parentElement.className;
    writing += 1;
    if (seen.has(key)) continue;
    seen.set(key, true);
    if (!shown(e)) continue;
    const behind = ground(e);
    if (!behind) continue;
    let alpha = 1;
    for (let at = e; at; at = at.parentElement) alpha *= parseFloat(getComputedStyle(at).opacity);
    if (alpha < 0.1) continue;
    const own = numbers(style.color), colour = over([...own.slice(0, 3), own[3] * alpha], behind);
    const [high, low] = [luminance(colour), luminance(behind)].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (low + 0.05), size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && parseInt(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5) - 0.005) said.push(`contrast ${ratio.toFixed(2)}: ` + name(e));
  }
  return {said, tables: tables.length, scrolling, writing, width, scheme: document.body.getAttribute('data-md-color-scheme'),
          height: root.scrollHeight, broken: [...document.images].filter((i) => i.complete && !i.naturalWidth).map((i) => i.src)};
})()
'''


class Chromium:
    """A browser without a display, and one page in it."""

    def __init__(self, program):
        self.profile = tempfile.mkdtemp(prefix='countpm-look-')
        commands, self.commands = os.pipe()
        self.answers, answers = os.pipe()
        # Chromium reads from 3 and writes to 4.
        ours = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (commands, answers)]
        os.close(commands)
        os.close(answers)

        def as_3_and_4():
            os.dup2(ours[0], 3)
            os.dup2(ours[1], 4)

        self.process = subprocess.Popen(
            [program, '--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars', '--no-first-run',
             '--disable-background-networking', '--disable-component-update', '--force-color-profile=srgb', '--allow-file-access-from-files',
             '--remote-debugging-pipe', f'--user-data-dir={self.profile}', 'about:blank'],
            preexec_fn=as_3_and_4, pass_fds=(3, 4), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for end in ours:
            os.close(end)
        self.number, self.rest, self.events, self.session = 0, b'', collections.deque(maxlen=1000), None
        target = self.call('Target.createTarget', url='about:blank')['targetId']
        self.session = self.call('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        self.call('Page.enable')

    def close(self):
        try:
            os.close(self.commands)
            os.close(self.answers)
            self.process.terminate()
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def message(self):
        while b'\0' not in self.rest:
            part = os.read(self.answers, 1 << 20)
            if not part:
                raise RuntimeError('Chromium ended')
            self.rest += part
        text, self.rest = self.rest.split(b'\0', 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        request = {'id': self.number, 'method': method, 'params': parameters}
        if self.session:
            request['sessionId'] = self.session
        os.write(self.commands, json.dumps(request).encode() + b'\0')
        while True:
            message = self.message()
            if message.get('id') == self.number:
                if 'error' in message:
                    raise RuntimeError(f'{method}: {message["error"]["message"]}')
                return message['result']
            self.events.append(message.get('method'))

    def open(self, address):
        self.events.clear()
        self.call('Page.navigate', url=address)
        while 'Page.loadEventFired' not in self.events:
            self.events.append(self.message().get('method'))
        # Measured at rest. Material puts tables into boxes a moment after the page is there.
        self.run("document.head.insertAdjacentHTML('beforeend', '<style>*,*::before,*::after{transition:none!important;animation:none!important}</style>')")
        self.run('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))')

    def run(self, code):
        answer = self.call('Runtime.evaluate', expression=code, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in answer:
            raise RuntimeError(json.dumps(answer['exceptionDetails'])[:2000])
        return answer['result'].get('value')

    def size(self, width, height):
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=False)

    def scheme(self, scheme):
        self.call('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': scheme}])

    def picture(self, width, height, scale=1, full=False):
        clip = {'x': 0, 'y': 0, 'width': width, 'height': height, 'scale': scale}
        return base64.b64decode(self.call('Page.captureScreenshot', format='png', clip=clip, captureBeyondViewport=full)['data'])


def pixels(png):
    """The pixels of a PNG file of 8 bits per channel, as Chromium writes them: (width, height, list of (r, g, b))."""
    at, data = 8, b''
    while at < len(png):
        length, kind = struct.unpack('>I4s', png[at:at + 8])
        if kind == b'IHDR':
            width, height, _, colour = struct.unpack('>IIBB', png[at + 8:at + 18])
        elif kind == b'IDAT':
            data += png[at + 8:at + 8 + length]
        at += 12 + length
    channels = {2: 3, 6: 4}[colour]
    raw, before, found = zlib.decompress(data), bytearray(width * channels), []
    for y in range(height):
        start = y * (width * channels + 1)
        kind, row = raw[start], bytearray(raw[start + 1:start + 1 + width * channels])
        for k in range(len(row)):
            left = row[k - channels] if k >= channels else 0
            corner = before[k - channels] if k >= channels else 0
            up = before[k]
            if kind == 1:
                row[k] = (row[k] + left) & 255
            elif kind == 2:
                row[k] = (row[k] + up) & 255
            elif kind == 3:
                row[k] = (row[k] + (left + up) // 2) & 255
            elif kind == 4:
                guess = left + up - corner
                near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
                row[k] = (row[k] + near) & 255
        found += [tuple(row[k:k + 3]) for k in range(0, len(row), channels)]
        before = row
    return width, height, found


def picture_findings(png, scheme):
    """What is wrong with a small picture of a page."""
    _, _, found = pixels(png)
    colours = len(set(found))
    light = sum(sum(pixel) for pixel in found) / (3 * 255 * len(found))
    if colours < 50:
        yield f'its picture is blank: {colours} colours'
    if (light < 0.6) if scheme == 'light' else (light > 0.5):
        yield f'its picture is not {scheme}: brightness {light:.2f}'


def pages_of(site, wanted):
    pages = [path for path in sorted(site.rglob('*.html')) if path.relative_to(site).parts[0] not in ('cpp', 'assets')]
    pages += [site / 'cpp' / f'{name}.html' for name in CPP if (site / 'cpp' / f'{name}.html').is_file()]
    names = {path.relative_to(site).as_posix().removesuffix('.html'): path for path in pages}
    return {name: path for name, path in names.items() if not wanted or name in wanted}


def stale(site):
    """The newest source of the site, where that is newer than the site."""
    built = (site / 'index.html').stat().st_mtime
    for folder in ('docs', 'packaging/site'):
        for path in (TOP / folder).rglob('*'):
            if path.is_file() and path.suffix in ('.md', '.css', '.yml', '.svg') and path.stat().st_mtime > built:
                return path
    return None


def look(site, browser, pages, pictures, full):
    """Yields what is wrong, and counts what was looked at."""
    counts = collections.Counter()
    for name, path in pages.items():
        browser.scheme('light')
        browser.size(1280, WIDTHS[1280])
        browser.open(path.as_uri())
        counts['pages'] += 1
        shot = pictures and (name in PICTURES or full)
        for scheme, own in SCHEMES.items():
            browser.scheme(scheme)
            # Material follows the system when its page is opened.
            browser.run(f"document.body.hasAttribute('data-md-color-scheme') && document.body.setAttribute('data-md-color-scheme', '{own}')")
            for width, height in WIDTHS.items():
                # What fits does so in the dark, too.
                if scheme == 'dark' and width != 1280 and not shot:
                    continue
                browser.size(width, height)
                found = browser.run(MEASURE)
                counts['tables'] += found['tables']
                counts['scrolling'] += found['scrolling']
                said = list(found['said'])
                said += [f'a picture is not there: {source}' for source in found['broken']]
                if found['writing'] < 10:
                    said.append('hardly any writing')
                if shot:
                    file = pictures / f'{name.replace("/", "-")}-{width}-{scheme}.png'
                    tall = min(found['height'], 12000) if full else height
                    file.write_bytes(browser.picture(width, tall, full=full))
                    said += picture_findings(browser.picture(width, height, scale=0.125), scheme)
                    counts['pictures'] += 1
                for text in said:
                    yield f'{name}.html, {width} pixels, {scheme}: {text}', counts
    yield '', counts


# Pages that are wrong, and what is to be found.
WRONG = {
    'wide': ('<p style="width:1500px">' + 'Words that go on. ' * 20 + '</p>', 'pixels wide, by'),
    'table': ('<div class="md-content" style="overflow:hidden"><table><tr>' + '<td style="min-width:9rem">A cell.</td>' * 20 + '</tr></table></div>',
              'a table is cut off'),
    'scrolling': ('<div class="md-content"><div style="overflow-x:auto"><table><tr>' + '<td style="min-width:9rem">A cell.</td>' * 20 + '</tr></table></div></div>',
                  'a table does not fit'),
    'cell': ('<div class="md-content"><table style="table-layout:fixed;width:300px"><tr><td style="white-space:nowrap">' + 'unbroken ' * 20
             + '</td><td style="width:50px">b</td></tr></table></div>', 'a cell is cut off'),
    'pale': ('<p style="color:#999">Too pale.</p>' * 12, 'contrast 2.85'),
    'faint': ('<p style="opacity:.5">Too faint.</p>' * 12, 'contrast 3.9'),
    'image': ('<img src="gone.png">', 'a picture is not there'),
    'right': ('<p style="color:#666">It can be read.</p>' * 12, ''),
}


def try_wrong(program):
    """Prints what is not found, or found where nothing is."""
    folder = Path(tempfile.mkdtemp(prefix='countpm-look-try-'))
    browser, missed = Chromium(program), 0
    try:
        for name, (text, expected) in WRONG.items():
            page = folder / f'{name}.html'
            page.write_text('<!DOCTYPE html><html><body style="color:#000;background:#fff">' + text + '<p>Black on white.</p>' * 12 + '</body></html>')
            browser.size(1280, 900)
            browser.open(page.as_uri())
            found = browser.run(MEASURE)
            said = found['said'] + [f'a picture is not there: {source}' for source in found['broken']]
            if not any(expected in one for one in said) if expected else said:
                print(f'{name}: expected "{expected}", found {said}')
                missed += 1
        blank = list(picture_findings(browser.picture(1280, 900, scale=0.125), 'dark'))
        if len(blank) != 2:
            print(f'a blank white picture: {blank}')
            missed += 1
    finally:
        browser.close()
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if missed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('site', type=Path, nargs='?', default=TOP / 'build' / 'site')
    parser.add_argument('--pictures', type=Path, help='leave pictures in this folder')
    parser.add_argument('--page', action='append', default=[], help='only this page, as guides/dimers')
    parser.add_argument('--full', action='store_true', help='pictures of whole pages, and of all of them')
    parser.add_argument('--try', action='store_true', dest='trial', help='look at pages that are wrong')
    options = parser.parse_args()
    site = options.site.resolve()
    program = next(filter(None, map(shutil.which, ('chromium', 'chromium-browser', 'google-chrome'))), None)
    if not program:
        print('there is no chromium in PATH (Debian: apt-get install chromium)')
        return 77
    if options.trial:
        return try_wrong(program)
    if not (site / 'index.html').is_file():
        print(f'there is no site in {site} (scripts/docs builds it)')
        return 77
    if newer := stale(site):
        print(f'{newer} is newer than the site in {site} (scripts/docs builds it)')
        return 77
    start, wrong, counts = time.monotonic(), 0, {}
    if options.pictures:
        options.pictures.mkdir(parents=True, exist_ok=True)
    browser = Chromium(program)
    try:
        for text, counts in look(site, browser, pages_of(site, options.page), options.pictures, options.full):
            if text:
                print(text, flush=True)
                wrong += 1
    finally:
        browser.close()
    print(f'{counts["pages"]} pages, {counts["tables"]} views of tables ({counts["scrolling"]} scroll), {counts["pictures"]} pictures, '
          f'{time.monotonic() - start:.0f} s: {wrong} findings')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
