"""What one Swift file declares and names."""

from dataclasses import dataclass, field
from pathlib import Path

from .tokens import tokens

TYPE_WORDS = {"struct", "class", "enum", "protocol", "actor", "extension"}
MEMBER_WORDS = {"func", "var", "let"}
MODIFIERS_OF_PRIVACY = {"private", "fileprivate"}
# Words that make `class` a modifier and no type: `class func`, `class var`.
AFTER_CLASS_MODIFIER = {"func", "var", "let", "subscript", "override", "final"}


@dataclass(frozen=True)
class Scope:
    """Where a name stands: the types around it, outermost first, each with its whole path as far as
    the file tells it, and the generic parameters in force."""

    types: tuple = ()
    generics: frozenset = frozenset()


@dataclass
class TypeDeclaration:
    path: tuple
    is_private: bool
    inherited: list  # chains of names
    file: "SwiftFile"


@dataclass
class MemberDeclaration:
    name: str
    owner: tuple  # the path of the type around it; empty outside types; None in a body
    in_extension: bool
    is_private: bool
    file: "SwiftFile"


@dataclass
class Use:
    chain: tuple  # of names joined by points
    scope: Scope
    line: int
    after_point: bool


@dataclass(eq=False)
class SwiftFile:
    path: Path
    folder: str
    module: str
    imports: set = field(default_factory=set)
    exports: set = field(default_factory=set)
    types: list = field(default_factory=list)
    members: list = field(default_factory=list)
    uses: list = field(default_factory=list)
    labels: set = field(default_factory=set)  # names of parameters, labels and loop variables


def read_file(path, folder, module):
    file = SwiftFile(path, folder, module)
    _Reader(file, tokens(path.read_text(encoding="utf-8"))).read()
    return file


@dataclass
class _Frame:
    """An opened brace."""

    scope: Scope
    owner: tuple = None  # the path of the type whose body it is
    in_extension: bool = False


class _Reader:
    def __init__(self, file, found):
        self.file = file
        self.tokens = found
        self.at = 0
        self.frames = [_Frame(Scope(), owner=())]
        self.brackets = 0
        # The declaration whose body has not begun: its frame, and the brackets around it.
        self.pending = None
        self.pending_brackets = 0
        self.header_generics = frozenset()
        self.is_private = False

    def text(self, offset=0):
        index = self.at + offset
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def name(self, offset=0):
        """The name at a place, without back quotes; empty when there is none."""
        index = self.at + offset
        if 0 <= index < len(self.tokens) and self.tokens[index].is_name:
            return self.tokens[index].text.strip("`")
        return ""

    @property
    def frame(self):
        return self.frames[-1]

    def scope(self):
        scope = self.frame.scope
        if self.header_generics:
            return Scope(scope.types, scope.generics | self.header_generics)
        return scope

    def read(self):
        while self.at < len(self.tokens):
            word = self.text()
            if word in "([":
                self.brackets += 1
                self.at += 1
            elif word in ")]":
                self.brackets -= 1
                self.at += 1
            elif word == "{":
                self.open_brace()
            elif word == "}":
                self.close_brace()
            elif self.tokens[self.at].is_name:
                self.read_name(word)
            else:
                self.at += 1
        if len(self.frames) != 1 or self.brackets != 0:
            raise SystemExit(f"{self.file.path}: braces or brackets do not close")

    def open_brace(self):
        if self.pending is not None and self.brackets == self.pending_brackets:
            self.frames.append(self.pending)
            self.pending, self.header_generics = None, frozenset()
        else:
            self.frames.append(_Frame(self.scope()))
        self.is_private = False
        self.at += 1

    def close_brace(self):
        if len(self.frames) == 1:
            raise SystemExit(f"{self.file.path}:{self.tokens[self.at].line}: a brace too many")
        self.frames.pop()
        self.at += 1
        if self.pending is None or self.brackets == self.pending_brackets:
            self.pending, self.header_generics = None, frozenset()

    def read_name(self, word):
        after_point = self.text(-1) == "."
        if after_point or word.startswith("`"):
            self.read_use(after_point)
        elif word == "import":
            self.read_import()
        elif word in MODIFIERS_OF_PRIVACY:
            # `private(set)` says nothing about reading.
            self.is_private = self.is_private or self.text(1) != "("
            self.at += 1
        elif word in TYPE_WORDS and self.begins_type(word):
            self.read_type(is_extension=word == "extension")
        elif word in ("typealias", "associatedtype") and self.name(1):
            self.read_alias()
        elif word in MEMBER_WORDS:
            self.read_members()
        elif word == "case" and self.frame.owner is not None:
            self.read_cases()
        elif word in ("init", "subscript", "deinit") and self.frame.owner is not None:
            self.at += 1
            self.begin_body(self.generic_parameters())
        else:
            self.read_use(after_point)

    def begins_type(self, word):
        if not self.name(1) or self.text(1) in (AFTER_CLASS_MODIFIER if word == "class" else ()):
            return False
        # `actor` and the others may be names of parameters and labels too.
        return self.text(-1) not in (":", "(", ",") and self.text(2) in ("{", ":", "<", ".", "where")

    def read_import(self):
        self.at += 1
        if self.text() in TYPE_WORDS | {"func", "var", "let", "typealias"}:
            self.at += 1
        module = self.name()
        self.file.imports.add(module)
        before = {self.text(-offset) for offset in range(2, 5)}
        if "_exported" in before:
            self.file.exports.add(module)
        self.at += 1
        while self.text() == ".":
            self.at += 2

    def read_type(self, is_extension):
        self.at += 1
        if is_extension:
            path = self.chain_at(0)
            self.file.uses.append(Use(path, self.scope(), self.tokens[self.at].line, False))
            self.at += 2 * len(path) - 1
            full = path
        else:
            full = self.frame_path() + (self.name(),)
            self.at += 1
        generics = self.generic_parameters()
        if not is_extension:
            is_private = self.is_private
            self.file.types.append(
                TypeDeclaration(full, is_private, self.inherited_types(), self.file))
        outer = self.scope()
        scope = Scope(outer.types + (full,), outer.generics | generics)
        self.begin_body(generics, _Frame(scope, owner=full, in_extension=is_extension))

    def frame_path(self):
        types = self.frame.scope.types
        return types[-1] if types else ()

    def read_alias(self):
        self.at += 1
        path = self.frame_path() + (self.name(),)
        self.file.types.append(TypeDeclaration(path, self.is_private, [], self.file))
        self.is_private = False
        self.at += 1
        self.header_generics = self.generic_parameters()

    def read_members(self):
        is_function = self.text() == "func"
        self.at += 1
        name = self.name()
        if name:
            self.add_member(name)
            self.at += 1
        elif is_function:  # an operator
            while self.at < len(self.tokens) and self.text() not in ("(", "<"):
                self.at += 1
            if self.text() == "<" and self.text(1) == "(":  # the operator < itself
                self.at += 1
        generics = self.generic_parameters() if is_function else frozenset()
        if is_function:
            self.begin_body(generics)
        else:
            self.is_private = False

    def read_cases(self):
        self.at += 1
        while self.name():
            self.add_member(self.name())
            self.at += 1
            if self.text() == "(" or self.text() == "=":
                return  # what follows are types or a value; later cases stand on their own line
            if self.text() != ",":
                return
            self.at += 1

    def add_member(self, name):
        self.file.members.append(
            MemberDeclaration(
                name, self.frame.owner, self.frame.in_extension, self.is_private, self.file))

    def begin_body(self, generics, frame=None):
        scope = Scope(self.frame.scope.types, self.frame.scope.generics | generics)
        self.pending = frame or _Frame(scope)
        self.pending_brackets = self.brackets
        self.header_generics = generics
        self.is_private = False

    def generic_parameters(self):
        """Reads `<A, B: C>` when it stands here; what it names is read later as a use."""
        if self.text() != "<":
            return frozenset()
        found, depth, index = set(), 0, self.at
        while index < len(self.tokens):
            piece = self.tokens[index].text
            if piece == "<":
                depth += 1
            elif piece == ">":
                depth -= 1
                if depth == 0:
                    break
            elif depth == 1 and self.tokens[index - 1].text in ("<", ",", "each", "let"):
                found.add(piece.strip("`"))
            index += 1
        return frozenset(found)

    def inherited_types(self):
        """The chains after the colon of a declaration; the tokens are read again as uses."""
        index = self.at
        if self.text() == "<":
            depth = 0
            while index < len(self.tokens):
                depth += {"<": 1, ">": -1}.get(self.tokens[index].text, 0)
                index += 1
                if depth == 0:
                    break
        found = []
        if index < len(self.tokens) and self.tokens[index].text == ":":
            index += 1
            while index < len(self.tokens) and self.tokens[index].text not in ("{", "where"):
                if self.tokens[index - 1].text in (":", ",", "&", "unchecked"):
                    chain = self.chain_at(index - self.at)
                    if chain:
                        found.append(chain)
                index += 1
        return found

    def chain_at(self, offset):
        chain = []
        while self.name(offset):
            chain.append(self.name(offset))
            if self.text(offset + 1) != "." or not self.name(offset + 2):
                break
            offset += 2
        return tuple(chain)

    def read_use(self, after_point):
        name, line = self.name(), self.tokens[self.at].line
        following = self.tokens[self.at + 1] if self.at + 1 < len(self.tokens) else None
        if following and not after_point:
            if (following.text == ":" and not following.spaced) or following.text == "in":
                self.file.labels.add(name)
        chain = self.chain_at(0)
        self.file.uses.append(Use(chain, self.scope(), line, after_point))
        # The rest of the chain is seen on its own too, as names after a point.
        self.at += 1
