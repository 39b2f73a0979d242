"""Swift source as tokens, without comments and without the text of string literals."""

import re
from typing import NamedTuple


class Token(NamedTuple):
    text: str
    line: int
    spaced: bool  # whether white space, a comment or a line's end stands before it

    @property
    def is_name(self):
        return self.text[0].isalpha() or self.text[0] in "_`$"


PLAIN = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<line>//[^\n]*)"
    r"|(?P<block>/\*)"
    r'|(?P<quote>\#*"(?:"")?)'
    r"|(?P<directive>\#[A-Za-z]+)"
    r"|(?P<name>`[^`\n]+`|[$A-Za-z_][A-Za-z_0-9]*)"
    r"|(?P<number>[0-9][A-Za-z_0-9]*(?:\.[0-9][A-Za-z_0-9]*)?)"
    r"|(?P<arrow>->)"
    r"|(?P<other>.)",
    re.DOTALL,
)


def tokens(text):
    """The tokens of a source file."""
    found = []
    _scan(text, 0, 1, found, closing=False)
    return found


def _scan(text, at, line, found, closing):
    """Appends tokens from `at` on; with `closing`, up to the parenthesis that ends an interpolation."""
    depth = 0
    spaced = True
    while at < len(text):
        match = PLAIN.match(text, at)
        kind, piece = match.lastgroup, match.group()
        if kind in ("space", "line"):
            at, spaced = match.end(), True
            line += piece.count("\n")
            continue
        if kind == "block":
            end = _block_comment_end(text, at)
            line += text.count("\n", at, end)
            at, spaced = end, True
            continue
        if kind == "quote":
            # The literal itself stays as a token, so that what comes before and after keeps apart.
            found.append(Token('"', line, spaced))
            at, line = _literal(text, match.end(), line, piece, found)
            spaced = False
            continue
        if piece == "(":
            depth += 1
        elif piece == ")":
            if closing and depth == 0:
                return match.end(), line
            depth -= 1
        found.append(Token(piece, line, spaced))
        at, spaced = match.end(), False
    return at, line


def _block_comment_end(text, at):
    depth = 0
    for match in re.compile(r"/\*|\*/").finditer(text, at):
        depth += 1 if match.group() == "/*" else -1
        if depth == 0:
            return match.end()
    return len(text)


def _literal(text, at, line, opening, found):
    """Skips the text of a literal; the code of its interpolations is scanned."""
    hashes = "#" * opening.count("#")
    quotes = opening.lstrip("#")
    ending = quotes + hashes
    interpolation = "\\" + hashes + "("
    while at < len(text):
        if text.startswith(ending, at):
            return at + len(ending), line
        if text.startswith(interpolation, at):
            found.append(Token("(", line, False))
            at, line = _scan(text, at + len(interpolation), line, found, closing=True)
            found.append(Token(")", line, False))
        elif text[at] == "\\" and not hashes:
            line += text.startswith("\n", at + 1)
            at += 2
        else:
            line += text[at] == "\n"
            at += 1
    return at, line
