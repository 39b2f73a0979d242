"""The check of links: a small site made by hand, and each way in which a link can lead nowhere."""

import copy
import json
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import links

PAGES = {
    "/documentation/a": {
        "primaryContentSections": [{"content": [
            {"type": "heading", "anchor": "Overview"},
            {"type": "paragraph", "inlineContent": [
                {"type": "reference", "identifier": "doc://b"},
                {"type": "image", "identifier": "picture.png"}]}]}],
        "topicSections": [{"identifiers": ["doc://b"]}],
        "references": {
            "doc://b": {"type": "topic", "url": "/documentation/B#Place"},
            "doc://out": {"type": "link", "url": "https://example.org/"},
            "picture.png": {"type": "image", "variants": [{"url": "/images/picture.png"}]}}},
    "/documentation/b": {
        "sections": [{"tasks": [{"anchor": "Place"}]}],
        "hierarchy": {"modules": [{"reference": "doc://chapter"}]},
        "references": {"doc://chapter": {"type": "topic", "url": "/tutorials/chapter"}}},
}


class LinkTests(unittest.TestCase):
    def mistakes(self, change=None, remove=None, index="/documentation/b"):
        """What is wrong with the site after a change."""
        pages = copy.deepcopy(PAGES)
        if change:
            change(pages)
        with tempfile.TemporaryDirectory(prefix="passage-links-") as folder:
            def write(path, text):
                path = os.path.join(folder, path.lstrip("/"))
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            for address, page in pages.items():
                write(f"data{address}.json", json.dumps(page))
                write(f"{address}/index.html", "")
            write("images/picture.png", "")
            write("index/index.json", json.dumps({"swift": [{"path": index}]}))
            if remove:
                os.remove(os.path.join(folder, remove))
            return links.Site(folder).mistakes()

    def test_a_whole_site(self):
        self.assertEqual(self.mistakes(), ([], 3))

    def expect(self, part, **how):
        found, _ = self.mistakes(**how)
        self.assertEqual(len(found), 1, found)
        self.assertIn(part, found[0])

    def test_a_page_that_does_not_exist(self):
        def change(pages):
            pages["/documentation/a"]["references"]["doc://b"]["url"] = "/documentation/c"
        self.expect("/documentation/c: there is no such page", change=change)

    def test_a_place_that_does_not_exist(self):
        def change(pages):
            pages["/documentation/b"]["sections"] = []
        self.expect("no place “Place”", change=change)

    def test_a_page_without_a_file(self):
        found, _ = self.mistakes(remove="documentation/b/index.html")
        self.assertEqual(len(found), 2, found)
        self.assertIn("no file index.html", found[0])

    def test_a_picture_that_does_not_exist(self):
        self.expect("/images/picture.png", remove="images/picture.png")

    def test_a_name_without_a_page(self):
        def change(pages):
            pages["/documentation/a"]["topicSections"][0]["identifiers"].append("doc://nobody")
        self.expect("names doc://nobody", change=change)

    def test_a_download_that_does_not_exist(self):
        def change(pages):
            pages["/documentation/a"]["references"]["file"] = {
                "type": "download", "url": "/downloads/file.zip"}
        self.expect("/downloads/file.zip", change=change)

    def test_the_list_of_pages(self):
        self.expect("the list of pages leads to /documentation/z", index="/documentation/z")


if __name__ == "__main__":
    unittest.main()
