internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageModels
internal import PassagePlatform
internal import PassageValues

/// Elements, objects that become one, and objects that are added.
extension MappingChecker {
  /// Reports members that an entity mapping of its type cannot have.
  mutating func checkRules(of mapping: EntityMapping) {
    func refuse(
      _ what: String, _ reason: String, _ location: SourceLocation?, _ remedy: String? = nil
    ) {
      report(
        "MAP-035", "“\(mapping.name.value)” cannot have \(what)",
        location ?? mapping.name.location, reason: reason, remedy: remedy)
    }
    let readsObjects = mapping.sourceEntityName != nil && mapping.destinationEntityName != nil
    for (what, rule) in [("“forEach”", mapping.forEach), ("“mergeBy”", mapping.merge?.value)] {
      guard let rule else { continue }
      if !readsObjects {
        refuse(what, "it does not make objects from objects", rule.location)
      } else if mapping.policy != nil {
        refuse(
          what, "its policy decides what is made of each object", rule.location,
          "call findOrInsert(_:key:for:make:) or insert(_:for:) in the policy")
      }
    }
    if mapping.kind == .copy, let list = mapping.forEach {
      refuse("“forEach”", "a “copy” mapping copies each object", list.location, "use “transform”")
    }
    if !mapping.addedObjects.isEmpty {
      if mapping.kind != .add {
        refuse("“objects”", "only an “add” mapping makes objects of a list", nil)
      } else if mapping.policy != nil {
        refuse("“objects”", "its policy makes its objects", nil)
      }
    }
    for property in mapping.attributeMappings where property.combination != nil {
      if mapping.merge == nil {
        refuse("“combine”", "without “mergeBy”, no objects become one", property.name.location)
      }
    }
    for property in mapping.attributeMappings where !property.sortKeys.isEmpty {
      refuse("“sortedBy” for an attribute", "only objects are sorted", property.name.location)
    }
    for property in mapping.relationshipMappings where property.combination != nil {
      refuse(
        "“combine” for a relationship", "only values combine", property.name.location,
        "a to-many relationship leads to the objects of all; a to-one has that of the object that is kept"
      )
    }
  }

  mutating func elements(of mapping: EntityMapping, _ sourceEntity: Entity?) -> BoundElements? {
    guard let text = mapping.forEach, let sourceEntity else { return nil }
    let list = keep(
      Result { () throws(Diagnostics) in
        try Binder.list(
          FormatParser.expression(text.value, at: text.location),
          in: valueScope(of: mapping, sourceEntity), at: text.location)
      })
    guard let list else { return nil }
    diagnostics.append(contentsOf: list.warnings)
    let found = BoundElements(list, of: sourceEntity, mapping: mapping.name.value, in: source)
    if found == nil {
      report(
        "MAP-036", "the elements of “forEach” are of no known type", text.location,
        remedy:
          "convert them with CAST, or use split(text, separator) or elementsInJSON(json, path)")
    }
    return found
  }

  mutating func merge(of mapping: EntityMapping, _ sourceEntity: Entity?) -> BoundMerge? {
    guard let merge = mapping.merge else { return nil }
    guard let parsed = parse(merge.value),
      let value = bind(
        parsed, expecting: nil, in: valueScope(of: mapping, sourceEntity),
        at: merge.value.location)
    else { return nil }
    guard value.constantValue == nil else {
      report(
        "MAP-036", "“mergeBy” is the same for every object", merge.value.location,
        remedy: "name what the objects have in common that become one")
      return nil
    }
    return BoundMerge(value: value, kept: merge.kept)
  }

  /// The number 1 as the value of an attribute that counts objects.
  mutating func one(for attribute: Attribute, at location: SourceLocation?) -> BoundExpression? {
    bind(
      .constant(.integer(1)), expecting: attribute.type,
      in: .value(model: source, entity: Entity(name: "")), at: location)
  }

  mutating func combinations(
    of mapping: EntityMapping, _ attributes: [BoundAttribute]
  ) -> [BoundCombination] {
    mapping.attributeMappings.compactMap { property in
      guard let function = property.combination,
        let bound = attributes.first(where: { $0.attribute.name == property.name.value })
      else { return nil }
      let type = bound.attribute.type
      let isNumber = [
        .integer16, .integer32, .integer64, .decimal, .double, .float,
      ].contains(type)
      let isFit =
        switch function {
        case .first, .last: true
        case .min, .max: isNumber || [.string, .uri, .date, .boolean].contains(type)
        case .sum, .count: isNumber
        case .average: [.decimal, .double, .float].contains(type)
        }
      guard isFit else {
        report(
          "MAP-036", "“\(function.rawValue)” does not give values of type \(type)",
          property.name.location,
          remedy: function == .average
            ? "make the attribute a floating-point number" : "use first or last")
        return nil
      }
      return BoundCombination(
        attribute: bound.attribute, value: bound.value, function: function)
    }
  }

  mutating func addedObjects(
    of mapping: EntityMapping, _ entity: Entity
  ) -> [[AddedValue]] {
    mapping.addedObjects.map { object in
      object.values.compactMap { name, value in
        guard diagnostics.errorCount < Self.maximumErrors else { return nil }
        guard let attribute = destination.attribute(name.value, of: entity),
          attribute.isStored, attribute.derivation == nil
        else {
          report(
            "MAP-014",
            "the destination entity “\(entity.name)” has no stored attribute “\(name.value)”",
            name.location,
            remedy: suggestion(name.value, destination.attributes(of: entity).map(\.name)))
          return nil
        }
        if let obstacle = object.obstacles[name.value] {
          report(
            "MAP-036", "a value of “objects” does not fit “\(entity.name).\(name.value)”",
            name.location, reason: obstacle, remedy: "give another value, or .null for none")
          return nil
        }
        return constant(value, for: attribute, at: name.location).map {
          AddedValue(attribute: attribute, value: $0)
        }
      }
    }
  }

  /// The stored form of a constant for an attribute.
  mutating func constant(
    _ value: PredicateArgument, for attribute: Attribute, at location: SourceLocation?
  ) -> Value? {
    // A mapping model may give a date by its seconds and a UUID by its bytes, as a store holds them.
    switch (attribute.type, value) {
    case (.date, .integer(let seconds)): return .integer(seconds)
    case (.date, .real(let seconds)): return .real(seconds)
    case (.uuid, .data(let data)) where data.count == 16: return .blob(Array(data))
    default: break
    }
    let bound = keep(
      Result { () throws(Diagnostics) in
        do throws(Diagnostics) {
          return try Binder.expression(
            value.tree, in: .value(model: source, entity: Entity(name: "")),
            expecting: attribute.type, at: location)
        } catch {
          // What the language would convert is no expression here: only a constant can take its place.
          var found = Diagnostics()
          for var mistake in error.all {
            mistake.remedy = attribute.type.constantRemedy
            found.append(mistake)
          }
          throw found
        }
      })
    return bound?.constantValue
  }
}

extension AttributeType {
  /// How a constant of the type is written in “objects”; `nil` if no constant is of the type.
  fileprivate var constantRemedy: String? {
    switch self {
    case .integer16, .integer32, .integer64:
      "write a whole number without quotation marks, as in 42"
    case .decimal, .double, .float: "write a number without quotation marks, as in 2.5"
    case .boolean: "write true or false"
    case .string: "write a text in straight quotation marks, as in \"42\""
    case .date: "write {\"date\": \"2024-01-31T12:00:00Z\"}"
    case .uuid: "write {\"uuid\": \"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\"}"
    case .uri: "write {\"url\": \"https://example.org\"}"
    case .binary: "write {\"data\": \"AAE=\"}, the bytes in Base64"
    default: nil
    }
  }
}
