"""Firefox without a display, for page_test.py: what look.Chromium offers, by Marionette (Firefox's own protocol, which geckodriver speaks as well).

Mouse, fingers and keys are taken as the DevTools protocol names them, and turned into WebDriver's actions. Python's standard library only.
"""
import base64
import json
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

PREFERENCES = {'marionette.port': 0, 'browser.shell.checkDefaultBrowser': False, 'datareporting.policy.dataSubmissionEnabled': False,
               'toolkit.telemetry.enabled': False, 'browser.aboutwelcome.enabled': False, 'app.update.enabled': False, 'ui.prefersReducedMotion': 1,
               'dom.w3c_touch_events.enabled': 1}
KEYS = {'ArrowLeft': '\ue012', 'ArrowUp': '\ue013', 'ArrowRight': '\ue014', 'ArrowDown': '\ue015', 'Enter': '\ue007', 'Tab': '\ue004', 'Escape': '\ue00c'}
BUTTONS = {'left': 0, 'right': 2, 'none': 0}
PATIENCE = 120  # seconds; for what would otherwise never end


class Firefox:
    def __init__(self, program):
        self.profile = tempfile.mkdtemp(prefix='countpm-firefox-')
        lines = ''.join(f'user_pref({json.dumps(name)}, {json.dumps(value)});\n' for name, value in PREFERENCES.items())
        Path(self.profile, 'user.js').write_text(lines, encoding='utf-8')
        self.process = subprocess.Popen([program, '--headless', '--no-remote', '--profile', self.profile, '--marionette', '--remote-allow-system-access', 'about:blank'],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port, end = Path(self.profile, 'MarionetteActivePort'), time.monotonic() + PATIENCE
        while not (port.is_file() and port.read_text(encoding='utf-8').strip()):
            if time.monotonic() > end or self.process.poll() is not None:
                raise RuntimeError('Firefox does not begin')
            time.sleep(0.05)
        self.socket = socket.create_connection(('127.0.0.1', int(port.read_text(encoding='utf-8'))))
        self.rest, self.number = b'', 0
        self.message()
        self.ask('WebDriver:NewSession', capabilities={'alwaysMatch': {'acceptInsecureCerts': False}})
        self.ask('WebDriver:SetTimeouts', script=1000 * PATIENCE, pageLoad=1000 * PATIENCE)
        # A phone's width is below the least that its window has.
        self.in_browser("window.document.documentElement.style.setProperty('min-width', '0', 'important')")

    def close(self):
        self.socket.close()
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def message(self):
        """A message is its length, a colon and JSON."""
        while True:
            head, colon, body = self.rest.partition(b':')
            if colon and len(body) >= int(head):
                self.rest = body[int(head):]
                return json.loads(body[:int(head)])
            part = self.socket.recv(1 << 20)
            if not part:
                raise RuntimeError('Firefox ended')
            self.rest += part

    def ask(self, command, **parameters):
        self.number += 1
        text = json.dumps([0, self.number, command, parameters]).encode()
        self.socket.sendall(b'%d:%s' % (len(text), text))
        while True:
            _, number, error, result = self.message()
            if number == self.number:
                if error:
                    raise RuntimeError(f'{command}: {error.get("error")}: {error.get("message")}')
                return result.get('value') if isinstance(result, dict) and set(result) == {'value'} else result

    def open(self, address):
        self.ask('WebDriver:Navigate', url=address)
        if '#' in address:  # nothing is loaded anew where only that is another
            self.run('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))')
        self.run("document.head.insertAdjacentHTML('beforeend', '<style>*,*::before,*::after{transition:none!important;animation:none!important}</style>')")

    def run(self, code):
        script = ('const done = arguments[arguments.length - 1];'
                  'Promise.resolve().then(() => window.eval(arguments[0])).then((value) => done([value ?? null]), (error) => done(String(error)));')
        answer = self.ask('WebDriver:ExecuteAsyncScript', script=script, args=[code], newSandbox=False)
        if isinstance(answer, str):
            raise RuntimeError(f'{answer}: {code[:300]}')
        return answer[0]

    def in_browser(self, script):
        """As the browser itself, not the page."""
        self.ask('Marionette:SetContext', value='chrome')
        try:
            return self.ask('WebDriver:ExecuteScript', script=script, args=[])
        finally:
            self.ask('Marionette:SetContext', value='content')

    def size(self, width, height):
        """Of the page; the window is larger."""
        outer = self.run('[outerWidth - innerWidth, outerHeight - innerHeight]')
        self.ask('WebDriver:SetWindowRect', width=width + outer[0], height=height + outer[1])

    def scheme(self, scheme):
        self.in_browser(f"window.gBrowser.selectedBrowser.browsingContext.prefersColorSchemeOverride = '{scheme}'")

    def picture(self, width, height, scale=1, full=False):
        del width, height, scale
        return base64.b64decode(self.ask('WebDriver:TakeScreenshot', full=full))

    def act(self, source):
        self.ask('WebDriver:PerformActions', actions=[source])

    def call(self, method, **of):
        """The few methods of DevTools that page_test.py uses."""
        if method == 'Input.dispatchMouseEvent':
            steps = [{'type': 'pointerMove', 'x': round(of['x']), 'y': round(of['y']), 'duration': 0}]
            if of['type'] != 'mouseMoved':
                steps.append({'type': {'mousePressed': 'pointerDown', 'mouseReleased': 'pointerUp'}[of['type']], 'button': BUTTONS[of['button']]})
            self.act({'type': 'pointer', 'id': 'mouse', 'parameters': {'pointerType': 'mouse'}, 'actions': steps})
        elif method == 'Input.dispatchTouchEvent':
            self.touch(of['type'], of['touchPoints'])
        elif method == 'Input.dispatchKeyEvent':
            value = KEYS.get(of['key'], of['key'])
            self.act({'type': 'key', 'id': 'keys', 'actions': [{'type': of['type'], 'value': value}]})
        elif method != 'Emulation.setTouchEmulationEnabled':
            raise RuntimeError(f'{method} is not known here')

    def touch(self, what, points):
        fingers = getattr(self, 'fingers', [])
        if what == 'touchStart':
            self.fingers = fingers = [f'finger{point.get("id", 0)}' for point in points]
        sources = []
        for k, name in enumerate(fingers):
            steps = []
            if points:
                steps.append({'type': 'pointerMove', 'x': round(points[k]['x']), 'y': round(points[k]['y']), 'duration': 0})
            if what != 'touchMove':
                steps.append({'type': 'pointerDown' if what == 'touchStart' else 'pointerUp', 'button': 0})
            sources.append({'type': 'pointer', 'id': name, 'parameters': {'pointerType': 'touch'}, 'actions': steps})
        self.ask('WebDriver:PerformActions', actions=sources)
