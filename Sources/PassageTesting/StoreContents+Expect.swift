internal import PassageEngine

extension StoreContents {
  /// Two stores that should be equal and are not.
  public struct Inequality: Error, Sendable, Hashable, CustomStringConvertible {
    /// Every difference in a sentence; at most as many as were asked for.
    public var differences: [String]
    /// The number of differences that are not listed.
    public var unlistedCount: Int

    /// All differences as text, for the message of a failed test.
    public var description: String {
      let more = unlistedCount > 0 ? ["and \(unlistedCount) more"] : []
      return "the stores differ: " + (differences + more).joined(separator: "; ")
    }
  }

  /// Fails a test with what differs, unless the contents are equal.
  ///
  /// ```swift
  /// @Test func `the migrated store is the one that a new app writes`() throws {
  ///   let expected = try StoreContents(path: fresh, model: model)
  ///   try StoreContents(path: migrated, model: model).expectEqual(expected)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - expected: what should be there.
  ///   - limit: how many differences are listed.
  /// - Throws: ``Inequality``, with values in its sentences.
  /// - Complexity: O(n log n) in the objects and their properties.
  public func expectEqual(_ expected: StoreContents, limit: Int = 10) throws(Inequality) {
    let found = sentences(expected)
    guard !found.isEmpty else { return }
    throw Inequality(
      differences: Array(found.prefix(max(0, limit))),
      unlistedCount: max(0, found.count - max(0, limit)))
  }

  private func sentences(_ expected: StoreContents) -> [String] {
    let theirs = Dictionary(
      expected.objects.map { ($0.reference, $0) }, uniquingKeysWith: { first, _ in first })
    var found: [String] = []
    for object in objects {
      let name = "\(object.entityName) \(object.key)"
      guard let twin = theirs[object.reference] else {
        found.append("\(name) should not exist")
        continue
      }
      for attribute in Set(object.attributes.keys).union(twin.attributes.keys).sorted()
      where object[attribute] != twin[attribute] {
        found.append("\(name) has \(attribute) \(object[attribute]), not \(twin[attribute])")
      }
      for relationship in Set(object.related.keys).union(twin.related.keys).sorted()
      where object.related[relationship] ?? [] != twin.related[relationship] ?? [] {
        found.append(
          "\(name) has \(relationship) \(object.words(relationship)), "
            + "not \(twin.words(relationship))")
      }
    }
    let mine = Set(objects.map(\.reference))
    return found
      + expected.objects.filter { !mine.contains($0.reference) }
      .map { "\($0.entityName) \($0.key) is missing" }
  }
}

extension StoreContents.Object {
  /// The related objects in words.
  fileprivate func words(_ relationship: String) -> String {
    let objects = (related[relationship] ?? []).map { "\($0.entityName) \($0.key)" }
    return objects.isEmpty ? "nothing" : objects.joined(separator: ", ")
  }
}

extension TestStore {
  /// Fails a test with what differs, unless another store of the same model has equal contents.
  ///
  /// ```swift
  /// let expected = try TestStore(model: model, at: directory.path("expected.sqlite"))
  /// try expected.insert("Person", ["name": "Ann"])
  /// try expected.close()
  /// try expected.expectEqual(storeAt: migrated)
  /// ```
  ///
  /// - Parameters:
  ///   - path: the store that was made; it is not changed.
  ///   - limit: how many differences are listed.
  /// - Throws: ``StoreContents/Inequality``, ``StoreContents/Mistake`` while this store is open, and
  ///   the error that SQLite returns.
  public func expectEqual(storeAt path: String, limit: Int = 10) throws {
    guard isClosed else {
      throw StoreContents.Mistake(
        "close the store before it is compared: what it holds is not written yet")
    }
    try StoreContents(path: path, model: model)
      .expectEqual(StoreContents(path: self.path, model: model), limit: limit)
  }
}
