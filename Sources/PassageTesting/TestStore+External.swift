public import Passage
internal import PassageFiles
public import PassagePlatform
internal import PassageStores

extension TestStore {
  /// Writes the value of an attribute with external storage into a file of its own, as Core Data
  /// does with large ones.
  ///
  /// ```swift
  /// let scan = try store.storeExternally(bytes)
  /// try store.insert("Page", ["scan": scan])
  /// ```
  ///
  /// - Parameters:
  ///   - bytes: the value.
  ///   - name: the name of the file.
  /// - Returns: what the attribute's column holds: a reference to the file.
  /// - Throws: what the system answers when the file cannot be written.
  public func storeExternally(_ bytes: [UInt8], as name: UUID = UUID()) throws -> Value {
    let unit = StoreUnit(path: path)
    let folder = unit.externalDataPath
    let files = FileSystem()
    for place in [unit.supportPath, folder] where !files.isDirectory(place) {
      try files.makeDirectory(place)
    }
    try files.write(bytes, to: "\(folder)/\(name.uuidString)")
    return .blob(ExternalValue.reference(to: name.uuidString))
  }
}
