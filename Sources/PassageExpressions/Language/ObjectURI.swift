/// The URI with which Core Data names an object: `x-coredata://STORE-UUID/Entity/p12`, with the
/// primary key after the `p` (NSManagedObjectID, `uriRepresentation()`).
///
/// The store may be left out and is ignored: a filter always concerns the store to which it is
/// applied.
struct ObjectURI: Hashable {
  var entityName: String
  var key: Int64

  init(entityName: String, key: Int64) {
    self.entityName = entityName
    self.key = key
  }

  /// - Returns: `nil` for a text in another form, such as the URI of an object that was never
  ///   saved.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0].lowercased() == "x-coredata:", parts[1].isEmpty,
      !parts[3].isEmpty, parts[4].hasPrefix("p"), parts[4].dropFirst().allSatisfy(\.isNumber),
      let key = Int64(parts[4].dropFirst())
    else { return nil }
    self.init(entityName: String(parts[3]), key: key)
  }

  /// The URI with the store, as Core Data gives it.
  func text(inStore uuid: String) -> String { "x-coredata://\(uuid)/\(entityName)/p\(key)" }

  var text: String { "x-coredata:///\(entityName)/p\(key)" }
}
