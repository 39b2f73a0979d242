internal import PassageDiagnostics
internal import PassageModels
internal import PassageStores

extension ArchivedModelDecoder {
  /// The entity's uniqueness constraints, each an ordered list of names.
  mutating func uniquenessConstraints(
    of entity: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> [[String]] {
    var constraints: [[String]] = []
    for item in try archive.elements("NSUniqueTuples", of: entity) {
      guard case .object(let tuple) = item else {
        throw .wrongKind(key: "NSUniqueTuples", expected: "a list of lists")
      }
      constraints.append(try propertyNames(archive.elements(of: tuple), key: "NSUniqueTuples"))
    }
    return constraints
  }

  /// The names of properties, given as texts or as the properties themselves.
  private mutating func propertyNames(
    _ items: [KeyedArchive.Item], key: String
  ) throws(KeyedArchiveError) -> [String] {
    var names: [String] = []
    for item in items {
      if let name = try archive.string(item) {
        names.append(name)
      } else if case .object(let property) = item,
        let name = try archive.string("NSPropertyName", of: underlying(property))
      {
        names.append(name)
      } else {
        throw .wrongKind(key: key, expected: "a list of names")
      }
    }
    return names
  }

  /// Reads the indexes of an entity whose attributes have been read.
  ///
  /// Models older than fetch indexes have a flag on the attribute and unnamed compound indexes.
  /// Core Data adds a fetch index for each of them to such a model, and archives both. Indexes that
  /// only repeat an attribute's flag are ignored.
  mutating func readIndexes(
    of object: KeyedArchive.Reference, into entity: inout Entity
  ) throws(KeyedArchiveError) {
    guard try archive.object("NSFetchIndexDescriptions", of: object) != nil else {
      entity.indexes = try compoundIndexes(of: object)
      return
    }
    var indexes: [Entity.Index] = []
    for item in try archive.elements("NSFetchIndexDescriptions", of: object) {
      guard case .object(let description) = item else {
        throw .wrongKind(key: "NSFetchIndexDescriptions", expected: "a list of indexes")
      }
      // An index does not change what a store holds: one that is not understood is left out.
      do {
        if let index = try fetchIndex(description) { indexes.append(index) }
      } catch .tooLarge {
        throw .tooLarge
      } catch {
        note("an index of \(part) is left out", reason: "\(error)")
      }
    }
    let flagged = Set(entity.attributes.filter(\.isIndexed).map(\.name))
    let repeated = Set(indexes.filter { $0.repeatsFlag && flagged.contains($0.name) }.map(\.name))
    for position in entity.attributes.indices {
      entity.attributes[position].isIndexed = repeated.contains(entity.attributes[position].name)
    }
    entity.indexes = indexes.filter { !repeated.contains($0.name) }
  }

  private mutating func fetchIndex(
    _ object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> Entity.Index? {
    guard let name = try archive.string("NSIndexName", of: object) else {
      throw .missing(key: "NSIndexName")
    }
    var index = Entity.Index(name: name, elements: [])
    for item in try archive.elements("NSIndexElements", of: object) {
      guard case .object(let element) = item else {
        throw .wrongKind(key: "NSIndexElements", expected: "a list of elements")
      }
      let described = try member(ofClass: "NSExpressionDescription", of: element)
      let property =
        described == nil ? try archive.string("NSPropertyName", of: element) : nil
      let expression =
        property == nil ? try indexExpression(described ?? element, of: name) : nil
      guard property != nil || expression != nil else { return nil }
      let type = try archive.integer("NSFetchIndexElementType", of: element) ?? 0
      guard type == 0 || type == 1 else {
        throw .wrongKind(key: "NSFetchIndexElementType", expected: "a known type of index")
      }
      var decoded = Entity.Index.Element(
        propertyName: property ?? "", kind: type == 1 ? .rtree : .binary,
        isAscending: try archive.flag("NSAscending", of: element))
      decoded.expression = expression
      index.elements.append(decoded)
    }
    if let predicate = try archive.object("NSPartialIndexPredicate", of: object) {
      guard let condition = try readPredicate(predicate, of: "the index “\(name)” of \(part)")
      else { return nil }
      index.partialPredicate = "\(condition)"
    }
    return index
  }

  /// The first object of a class under any key of another object; the keys of index elements are
  /// not relied on.
  private mutating func member(
    ofClass name: String, of object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> KeyedArchive.Reference? {
    for key in try archive.keys(of: object) {
      guard case .object(let member) = try archive.archive.item(key, of: object),
        try archive.archive.classNames(of: member).contains(name)
      else { continue }
      return member
    }
    return nil
  }

  /// The expression that an element, or its expression description, has; `nil`, with a note, if it
  /// is not understood. The index is then left out.
  private mutating func indexExpression(
    _ element: KeyedArchive.Reference, of index: String
  ) throws(KeyedArchiveError) -> String? {
    guard let object = try member(ofClass: "NSExpression", of: element) else {
      note(
        "the index “\(index)” of \(part) is left out",
        reason: "one of its elements does not name a property")
      return nil
    }
    var decoder = ArchivedExpressionDecoder(archive)
    do {
      let expression = try decoder.expression(object)
      archive = decoder.archive
      return Self.text(ofDerivation: expression)
    } catch .tooLarge {
      throw .tooLarge
    } catch {
      archive = decoder.archive
      note("the index “\(index)” of \(part) is left out", reason: "\(error)")
      return nil
    }
  }

  /// Unnamed lists of attributes. Each index is named after its attributes.
  private mutating func compoundIndexes(
    of object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> [Entity.Index] {
    var indexes: [Entity.Index] = []
    var names: Set<String> = []
    for item in try archive.elements("NSCompoundIndexes", of: object) {
      guard case .object(let list) = item else {
        throw .wrongKind(key: "NSCompoundIndexes", expected: "a list of lists")
      }
      let properties = try propertyNames(archive.elements(of: list), key: "NSCompoundIndexes")
      let name = properties.joined(separator: "_")
      // Equal lists give one index.
      guard !properties.isEmpty, names.insert(name).inserted else { continue }
      indexes.append(
        Entity.Index(
          name: name, elements: properties.map { Entity.Index.Element(propertyName: $0) }))
    }
    return indexes
  }
}

extension Entity.Index {
  /// Whether Core Data created the index for an attribute's flag: it covers only that attribute and
  /// has its name.
  fileprivate var repeatsFlag: Bool {
    partialPredicate == nil && elements == [Element(propertyName: name)]
  }
}
