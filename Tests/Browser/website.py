#!/usr/bin/env python3
"""Checks a web site that `.ci/website` has built: all of its internal links, and in Chromium, where there is
one, that its pages show what they hold. It is served on this machine alone, for a bounded time."""

import argparse
import functools
import http.server
import os
import signal
import sys
import threading
import time

sys.dont_write_bytecode = True
here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)

import chromium
import links

# How long all pages together may take, and one until it shows something, in seconds.
LIMIT = 300
PATIENCE = 30

TUTORIAL = "/tutorials/passage/firstmigration"
PAGES = ("/documentation/passage", "/documentation/passage/startup",
         "/documentation/passage/coredata", "/documentation/passage/commandline", TUTORIAL,
         "/documentation/passage/storeupgrade", "/documentation/passagetesting")

# What a page shows once it is there; null until then.
STATE = """(() => {
  const main = document.querySelector('main');
  const title = main && main.querySelector('h1');
  if (!title || document.querySelector('.loading')) return null;
  const here = location.href.split('#')[0];
  const links = [...document.querySelectorAll('a[href]')].map((link) => link.href);
  // A link to # alone is a button.
  const nowhere = links.filter((link) => link.startsWith(here + '#') && link !== here + '#'
    && !document.getElementById(decodeURIComponent(link.slice(here.length + 1))));
  return { nowhere, links: links.filter((link) => !link.startsWith(here + '#')),
    title: title.innerText.replace(/\\u200b/g, '').trim(), letters: main.innerText.length,
    steps: document.querySelectorAll('.step-container').length,
    broken: [...document.images].filter((image) => image.complete && !image.naturalWidth)
      .map((image) => image.src) };
})()"""


class Handler(http.server.SimpleHTTPRequestHandler):
    """Files of the site, without a line on the terminal for each."""

    def log_message(self, *arguments):
        pass


def steps(page):
    """How many steps a tutorial has; 0 for any other page."""
    return sum(part.get("type") == "step" for section in page.get("sections", [])
               for task in section.get("tasks", []) for part in task.get("stepsSection", []))


def shown(browser, address):
    """What the page at an address shows; None if that is nothing."""
    browser.open(address, 1280, "light")
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        state = browser.evaluate(STATE)
        if state:
            # What is loaded after the text.
            time.sleep(0.2)
            return browser.evaluate(STATE)
        time.sleep(0.05)
    return None


def look(browser, site, root, address):
    """What is wrong with a page."""
    page = site.pages[address]
    state = shown(browser, f"{root}{address}/")
    if not state:
        return ["it shows nothing"]
    found = [f"the console says: {message}" for message in browser.messages]
    found += [f"it loads {url}" for url in browser.requests
              if not url.startswith((root + "/", "data:"))]
    found += [f"it shows no picture for {url}" for url in state["broken"]]
    title = page["metadata"].get("title") or page["sections"][0]["title"]
    if state["title"] != title:
        found.append(f"its title is “{state['title']}” instead of “{title}”")
    if state["letters"] < 500:
        found.append(f"it has only {state['letters']} letters")
    if state["steps"] != steps(page):
        found.append(f"it shows {state['steps']} of {steps(page)} steps")
    found += [f"it leads to {url}, which is not on it" for url in state["nowhere"]]
    for url in state["links"]:
        if url.startswith(root + "/") and url != root + "/":
            wrong = site.mistake(url[len(root):].split("?")[0])
            if wrong:
                found.append(f"it leads to {url[len(root):]}: {wrong}")
    return found


def look_at_all(site, root, pictures):
    """Looks at the pages in Chromium; says how many are wrong."""
    path = chromium.find()
    if not path:
        print("SKIPPED: there is no Chromium here, so no page was looked at "
              "(apt-get install chromium)")
        return 0
    wrong = 0
    browser = chromium.Chromium(path)
    try:
        for address in PAGES:
            found = look(browser, site, root, address)
            print(f"{address}: {'ok' if not found else 'WRONG'}")
            for sentence in found:
                print(f"  {sentence}")
            wrong += bool(found)
            if pictures:
                os.makedirs(pictures, exist_ok=True)
                browser.screenshot(os.path.join(pictures, f"{address.rsplit('/', 1)[1]}.png"),
                                   height=1800)
        # The root leads to the start page.
        browser.open(root + "/", 1280, "light")
        end = time.monotonic() + PATIENCE
        while (browser.evaluate("location.pathname").rstrip("/") != PAGES[0]
               and time.monotonic() < end):
            time.sleep(0.05)
        if browser.evaluate("location.pathname").rstrip("/") != PAGES[0]:
            print("/: WRONG\n  it does not lead to the start page")
            wrong += 1
    finally:
        browser.close()
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", help="the folder of the site, built for the root of a server")
    parser.add_argument("--pictures", help="a folder for a picture of each page")
    arguments = parser.parse_args()
    site = links.Site(arguments.site)
    missing = [address for address in PAGES if address not in site.pages]
    found, count = site.mistakes()
    found += [f"there is no page {address}" for address in missing]
    for sentence in found:
        print(sentence)
    print(f"{len(site.pages)} pages, {count} links, {len(found)} lead nowhere")
    if found or count < 1000:
        return 1
    signal.alarm(LIMIT)
    handler = functools.partial(Handler, directory=arguments.site)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            return 1 if look_at_all(
                site, f"http://127.0.0.1:{server.server_address[1]}", arguments.pictures) else 0
        finally:
            server.shutdown()


if __name__ == "__main__":
    sys.exit(main())
