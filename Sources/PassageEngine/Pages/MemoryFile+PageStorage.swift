internal import PassagePages
internal import PassageSQLite

extension MemoryFile: PageStorage {}
