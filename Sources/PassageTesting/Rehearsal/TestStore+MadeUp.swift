internal import Passage
internal import PassageModels

extension TestStore {
  /// Fills the store with made-up objects of its model: every attribute type with values at its
  /// edges, nil where that is allowed, large values in files where that is allowed, and relationships
  /// up to their counts, ordered ones in an order of their own.
  ///
  /// ```swift
  /// let store = try TestStore(model: model, at: directory.path("Made up.sqlite"))
  /// try store.insertMadeUpObjects(count: 40, seed: 1)
  /// try store.close()
  /// ```
  ///
  /// Validation rules are followed where a value can be found that follows them: minima, maxima,
  /// and regular expressions that one of the made-up texts or the default value matches.
  ///
  /// - Parameters:
  ///   - count: the number of objects of each entity that is not abstract, where less than 0 counts as 0;
  ///     of values that must be different, a Boolean has two.
  ///   - seed: the same seed and model give the same objects.
  ///   - makesNil: whether what may be empty is, now and then.
  /// - Returns: the number of objects.
  /// - Throws: what SQLite throws.
  @discardableResult
  public func insertMadeUpObjects(
    count: Int, seed: UInt64, makesNil: Bool = true
  ) throws -> Int {
    var objects: [String: [ObjectReference]] = [:]
    var number = 0
    for entity in model.entities where !entity.isAbstract {
      let unique = Set(
        model.lineage(of: entity).flatMap(\.uniquenessConstraints).flatMap { $0 })
      let values = model.attributes(of: entity)
        .filter { $0.isStored && $0.derivation == nil && $0.type != .composite }
        .map { attribute in
          (
            attribute.name,
            MadeUpValues(
              attribute, of: entity.name, isUnique: unique.contains(attribute.name),
              makesNil: makesNil,
              seed: seed)
          )
        }
      for _ in 0..<max(0, count) {
        // Entities of one table share what must be unique.
        let place = number
        let own = place % max(1, count)
        var attributes: [String: Value] = [:]
        for (name, made) in values {
          let order = unique.contains(name) ? place : own
          attributes[name] =
            try made.externalBytes(order).map {
              try storeExternally($0, as: made.fileName(place))
            } ?? made.value(order)
        }
        objects[entity.name, default: []].append(try insert(entity.name, attributes))
        number += 1
      }
    }
    try MadeUpLinks(model, objects: objects, makesNil: makesNil, seed: seed).link(in: self)
    return number
  }
}
