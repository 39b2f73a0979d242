"""Chromium without a window, driven through its debugging pipe: NUL-terminated JSON on two files."""

import base64
import json
import os
import shutil
import subprocess
import tempfile

NAMES = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell", "chrome")


def find():
    """The path of a Chromium; None if there is none."""
    for name in NAMES:
        path = shutil.which(name)
        if path:
            return path
    return None


class Chromium:
    """One browser with one page. Every message of the page's console is kept, and every request."""

    def __init__(self, path):
        self.profile = tempfile.mkdtemp(prefix="passage-browser-")
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()

        def connect():
            # The browser reads from 3 and writes to 4; both pipes may have these numbers already.
            reading, writing = os.dup(to_browser), os.dup(from_browser)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        self.process = subprocess.Popen(
            [path, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--disable-dev-shm-usage", "--no-first-run", "--remote-debugging-pipe",
             f"--user-data-dir={self.profile}", "about:blank"],
            close_fds=False, preexec_fn=connect, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.rest = b""
        self.last = 0
        self.session = None
        self.messages = []
        self.requests = []
        self.loaded = False
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=20)
        os.close(self.output)
        os.close(self.input)
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, **parameters):
        """Calls a method of the protocol and gives its result."""
        self.last += 1
        number = self.last
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.output, data):]
        while True:
            answer = self.receive()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def receive(self):
        while b"\0" not in self.rest:
            data = os.read(self.input, 1 << 16)
            if not data:
                raise RuntimeError("Chromium has ended")
            self.rest += data
        line, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(line)
        method, values = message.get("method"), message.get("params", {})
        if method == "Log.entryAdded":
            self.messages.append(values["entry"]["text"])
        elif method == "Runtime.consoleAPICalled":
            self.messages.append(str(values["args"]))
        elif method == "Runtime.exceptionThrown":
            self.messages.append(values["exceptionDetails"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(values["request"]["url"])
        elif method == "Page.loadEventFired":
            self.loaded = True
        return message

    def open(self, path, width, scheme, height=900):
        """Opens a file, or an address, in a window of a width, in a colour scheme."""
        url = path if "://" in path else "file://" + os.path.abspath(path)
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.messages, self.requests, self.loaded = [], [], False
        self.call("Page.navigate", url=url)
        while not self.loaded:
            self.receive()

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"])
        return result["result"].get("value")

    def screenshot(self, path, top=0, height=None):
        """Writes a picture of the page, or of so many pixels from its top."""
        width = self.evaluate("document.documentElement.clientWidth")
        height = height or self.evaluate("document.documentElement.scrollHeight")
        picture = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                            clip={"x": 0, "y": top, "width": width, "height": height, "scale": 1})
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture["data"]))
