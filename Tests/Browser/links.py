"""The internal links of a web site of DocC: each must lead to a page, a place on it, or a file."""

import json
import os
import re


def places(value):
    """The names of a page's places, in any part of its data."""
    if isinstance(value, dict):
        if isinstance(value.get("anchor"), str):
            yield value["anchor"]
        for inner in value.values():
            yield from places(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from places(inner)


def used(value):
    """The identifiers of links in texts and lists of links."""
    if isinstance(value, dict):
        if value.get("type") in ("reference", "link", "image", "video") and "identifier" in value:
            yield value["identifier"]
        if value.get("type") == "links":
            yield from value.get("items", [])
        for name, inner in value.items():
            if name in ("topicSections", "seeAlsoSections") and isinstance(inner, list):
                for section in inner:
                    yield from section.get("identifiers", [])
            yield from used(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from used(inner)


def navigator(value):
    """The paths of the list of all pages."""
    if isinstance(value, dict):
        if isinstance(value.get("path"), str):
            yield value["path"]
        for inner in value.values():
            yield from navigator(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from navigator(inner)


class Site:
    """A site in a folder, as `.ci/website` makes it."""

    def __init__(self, folder):
        self.folder = folder
        # Pages by their address, with their data.
        self.pages = {}
        data = os.path.join(folder, "data")
        for place, _, names in os.walk(data):
            for name in names:
                if name.endswith(".json"):
                    path = os.path.join(place, name)
                    address = "/" + os.path.relpath(path, data)[:-len(".json")]
                    with open(path, encoding="utf-8") as file:
                        self.pages[address.lower()] = json.load(file)
        self.anchors = {}

    def has_place(self, address, anchor):
        if address not in self.anchors:
            self.anchors[address] = set(places(self.pages[address]))
        return anchor in self.anchors[address]

    def mistake(self, url):
        """What is wrong with an internal address; None for nothing."""
        address, _, anchor = url.partition("#")
        address = address.rstrip("/").lower()
        if address not in self.pages:
            return "there is no such page"
        if not os.path.isfile(os.path.join(self.folder, address.lstrip("/"), "index.html")):
            return "the page has no file index.html"
        if anchor and not self.has_place(address, anchor):
            return f"the page has no place “{anchor}”"
        return None

    def mistakes(self):
        """Everything that leads nowhere, as sentences, and how many links were looked at."""
        found, count = set(), 0
        for address, page in sorted(self.pages.items()):
            references = page.get("references", {})
            # A chapter of tutorials groups them; it has an address and no page.
            chapters = {chapter.get("reference")
                        for chapter in page.get("hierarchy", {}).get("modules") or []}
            for identifier, reference in references.items():
                kind, url = reference.get("type"), reference.get("url", "")
                if url.startswith("/") and kind != "download" and identifier not in chapters:
                    count += 1
                    wrong = self.mistake(url)
                    if wrong:
                        found.add(f"{address} leads to {url}: {wrong}")
                for variant in reference.get("variants", []):
                    count += 1
                    if not os.path.isfile(self.folder + variant["url"]):
                        found.add(f"{address} shows {variant['url']}, which does not exist")
                if kind == "download":
                    count += 1
                    if not os.path.isfile(self.folder + url):
                        found.add(f"{address} gives {url}, which does not exist")
            for identifier in used({name: part for name, part in page.items()
                                    if name != "references"}):
                reference = references.get(identifier)
                if reference is None:
                    # An address of the page itself needs no reference.
                    if not re.match(r"(https?:|mailto:)", identifier):
                        found.add(f"{address} names {identifier}, which is no page")
        index = os.path.join(self.folder, "index", "index.json")
        with open(index, encoding="utf-8") as file:
            for path in navigator(json.load(file)):
                count += 1
                wrong = self.mistake(path)
                if wrong:
                    found.add(f"the list of pages leads to {path}: {wrong}")
        return sorted(found), count
