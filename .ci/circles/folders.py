"""Which folder of the sources names what of which."""

from collections import defaultdict
from dataclasses import dataclass, field

from .file import read_file


@dataclass
class Named:
    """One name by which a folder depends on another."""

    declared: str  # the file that declares it
    uses: list = field(default_factory=list)  # files with lines


class Folders:
    """The folders of a `Sources` directory, and the names that join them.

    `names[a][b]` maps what folder a names of folder b to a `Named`."""

    def __init__(self, sources):
        self.sources = sources
        self.files = []
        for path in sorted(sources.rglob("*.swift")):
            parts = path.relative_to(sources).parts
            self.files.append(read_file(path, "/".join(parts[:-1]), parts[0]))
        self.folders = sorted({file.folder for file in self.files})
        self.modules = {file.module for file in self.files}
        self.names = defaultdict(lambda: defaultdict(dict))
        self._find_visible_modules()
        self._collect_types()
        self._join_types()
        self._join_members()

    # Visibility

    def _find_visible_modules(self):
        exports = defaultdict(set)
        for file in self.files:
            exports[file.module] |= file.exports
        self.visible = {}
        for file in self.files:
            seen, waiting = {file.module}, list(file.imports & self.modules)
            while waiting:
                module = waiting.pop()
                if module not in seen:
                    seen.add(module)
                    waiting.extend(exports[module] & self.modules)
            self.visible[file] = sorted(seen - {file.module})

    # Types

    def _collect_types(self):
        """Declarations by home and path. The home is the module, or the file for private types
        outside others, or nothing for types that come from elsewhere."""
        self.declarations = defaultdict(list)
        for file in self.files:
            for declaration in file.types:
                if len(declaration.path) == 1:
                    home = file if declaration.is_private else file.module
                    self.declarations[home, declaration.path].append(declaration)
        for file in self.files:
            for declaration in file.types:
                if len(declaration.path) > 1:
                    home = self._home(declaration.path[0], file)
                    self.declarations[home, declaration.path].append(declaration)

    def _home(self, name, file):
        for home in [file, file.module, *self.visible[file]]:
            if (home, (name,)) in self.declarations:
                return home
        return ""

    def _nested(self, home, path, name, seen=()):
        """The type called `name` inside a type, or inside one that it inherits."""
        if (home, path + (name,)) in self.declarations:
            return home, path + (name,)
        for declaration in self.declarations.get((home, path), ()):
            for chain in declaration.inherited:
                base_home = self._home(chain[0], declaration.file)
                base = (base_home, chain)
                if base in self.declarations and base not in seen:
                    found = self._nested(base_home, chain, name, seen + (base,))
                    if found:
                        return found
        return None

    def _resolve(self, chain, scope, file):
        """The types that a chain of names leads to, one for each name, as far as it does."""
        first, rest, found = chain[0], chain[1:], None
        if first in scope.generics:
            return []
        if first == "Self" and scope.types:
            path = scope.types[-1]
            found = self._home(path[0], file), path
        else:
            for path in reversed(scope.types):
                found = found or self._nested(self._home(path[0], file), path, first)
            if not found and (home := self._home(first, file)):
                found = home, (first,)
            if not found and first in self.modules and rest:
                found, rest = (first, rest[:1]), rest[1:]
        steps = []
        while found in self.declarations:
            steps.append(found)
            if not rest:
                break
            found, rest = self._nested(*found, rest[0]), rest[1:]
        return steps

    def _join_types(self):
        for file in self.files:
            for use in file.uses:
                if use.after_point or not use.chain[0].lstrip("_")[:1].isupper():
                    continue
                for home, path in self._resolve(use.chain, use.scope, file):
                    declared = self._declaration(home, path, file)
                    self._join(file, use.line, declared.file, ".".join(path))

    def _declaration(self, home, path, file):
        found = self.declarations[home, path]
        return next((one for one in found if one.file is file), found[0])

    def _join(self, file, line, declared, name):
        if file.folder == declared.folder:
            return
        names = self.names[file.folder][declared.folder]
        named = names.setdefault(name, Named(self._shown(declared)))
        named.uses.append(f"{self._shown(file)}:{line}")

    def _shown(self, file):
        return str(file.path.relative_to(self.sources))

    # Functions, variables, and members of extensions

    def _join_members(self):
        by_name, labels = defaultdict(list), set()
        for file in self.files:
            labels |= file.labels
            for member in file.members:
                by_name[member.name].append(member)
        told = {
            name: members[0]
            for name, members in by_name.items()
            if name not in labels and self._is_told_by_name(members)
        }
        uses = defaultdict(list)
        for file in self.files:
            for use in file.uses:
                if use.chain[0] in told:
                    uses[use.chain[0]].append((file, use))
        for name, member in told.items():
            self._join_uses(name, member, uses[name])

    def _is_told_by_name(self, members):
        member = members[0]
        if len(members) != 1 or member.is_private or member.owner is None:
            return False
        if member.owner == ():
            return True
        return member.in_extension and self._owner_folder(member) != member.file.folder

    def _owner_folder(self, member):
        home = self._home(member.owner[0], member.file)
        if (home, member.owner) not in self.declarations:
            return None
        return self._declaration(home, member.owner, member.file).file.folder

    def _join_uses(self, name, member, uses):
        module = member.file.module
        if member.owner == ():
            uses = [(file, use) for file, use in uses if not use.after_point]
        else:
            uses = [
                (file, use) for file, use in uses
                if use.after_point or member.owner in use.scope.types
            ]
        if any(file.module != module and module not in self.visible[file] for file, _ in uses):
            return  # somebody else's has the name too
        shown = ".".join((*member.owner, name))
        for file, use in uses:
            self._join(file, use.line, member.file, shown)
