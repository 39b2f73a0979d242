internal import PassagePages
internal import PassageSQLite

extension MemoryFile: PageStorage {
  package func reserve(_ byteCount: Int64, at offset: Int64) {}
}
