"""Chromium driven through chromedriver (WebDriver over HTTP), with Python's own library alone."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request


class Browser:
    """A window without a screen. Use as a context; it closes the browser."""

    def __init__(self, width, height, theme="dark"):
        for program in ("chromedriver", "chromium"):
            if not shutil.which(program):
                sys.exit(f"{program} is missing: apt-get install chromium chromium-driver")
        self.profile = tempfile.TemporaryDirectory()
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
        line = ""
        while not (started := re.search(r"started successfully on port (\d+)", line)):
            line = self.driver.stdout.readline()
            if not line:
                sys.exit("chromedriver did not start")
        self.base = f"http://127.0.0.1:{started[1]}"
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                     "--disable-background-networking", f"--user-data-dir={self.profile.name}",
                     f"--window-size={width},{height}"]
        wanted = {"browserName": "chrome", "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
                  "goog:chromeOptions": {"binary": shutil.which("chromium"), "args": arguments}}
        session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.base += f"/session/{session['sessionId']}"
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
        self.call("POST", "/url", {"url": "about:blank"})
        self.requests()  # of the browser's own first page

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.profile.cleanup()

    def call(self, method, path, body=None):
        data = json.dumps(body or {}).encode() if method == "POST" else None
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path}: {error.read().decode()[:600]}") from None

    def command(self, name, **parameters):
        """A command of the DevTools protocol."""
        return self.call("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def open(self, path):
        self.call("POST", "/url", {"url": f"file://{path}"})
        self.settle()

    def run(self, script, *arguments):
        """What the script returns."""
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def settle(self):
        """Waits until the page has repainted."""
        script = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0)))"
        self.call("POST", "/execute/async", {"script": script, "args": []})

    def press(self, *keys):
        """Presses keys one after the other; "Shift+…" with Shift held."""
        codes = {"Left": "\ue012", "Up": "\ue013", "Right": "\ue014", "Down": "\ue015", "Home": "\ue011", "End": "\ue010",
                 "Tab": "\ue004", "Escape": "\ue00c", "Enter": "\ue007", "Space": " "}
        actions = []
        for key in keys:
            held, _, last = key.rpartition("+") if key != "+" else ("", "", "+")
            codes_held = ["\ue008"] if held else []
            pressed = codes_held + [codes.get(last, last)]
            actions += [{"type": "keyDown", "value": code} for code in pressed]
            actions += [{"type": "keyUp", "value": code} for code in reversed(pressed)]
        self.act({"type": "key", "id": "keyboard", "actions": actions})

    def point(self, x, y):
        self.act(self.mouse([{"type": "pointerMove", "x": int(x), "y": int(y)}]))

    def click(self, x, y):
        move = {"type": "pointerMove", "x": int(x), "y": int(y)}
        self.act(self.mouse([move, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]))

    def drag(self, begin, end):
        move = [{"type": "pointerMove", "x": int(x), "y": int(y), "duration": 0} for x, y in (begin, end)]
        self.act(self.mouse([move[0], {"type": "pointerDown", "button": 0}, move[1], {"type": "pointerUp", "button": 0}]))

    def wheel(self, x, y, delta):
        scroll = {"type": "scroll", "x": int(x), "y": int(y), "deltaX": 0, "deltaY": delta}
        self.act({"type": "wheel", "id": "wheel", "actions": [scroll]})

    @staticmethod
    def mouse(actions):
        return {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}

    def act(self, *sources):
        self.call("POST", "/actions", {"actions": list(sources)})
        self.settle()

    def rectangle(self, selector):
        """Left, top, width, height on the page."""
        script = "const r = document.querySelector(arguments[0]).getBoundingClientRect(); return [r.left, r.top, r.width, r.height]"
        return self.run(script, selector)

    def click_on(self, selector):
        left, top, width, height = self.rectangle(selector)
        self.click(left + width / 2, top + height / 2)

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0]).innerText", selector)

    def errors(self):
        """What the console has of errors and warnings."""
        log = self.call("POST", "/se/log", {"type": "browser"})
        return [entry["message"] for entry in log if entry["level"] in ("SEVERE", "WARNING")]

    def requests(self):
        """The addresses that pages have asked for."""
        log = self.call("POST", "/se/log", {"type": "performance"})
        messages = [json.loads(entry["message"])["message"] for entry in log]
        return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
