internal import PassageDiagnostics
internal import PassageExpressions
internal import PassagePlatform
public import PassageValues

extension MappingModel {
  /// The source of a destination property's value. A string literal is an expression.
  ///
  /// ```swift
  /// attributes: [
  ///   "timestamp": "$source.timeStamp",
  ///   "title": .expression("$source.name", default: "'untitled'"),
  ///   "born": .sameName,
  ///   "color": .leftAtDefault,
  /// ]
  /// ```
  public struct PropertyValue: Sendable, Hashable, ExpressibleByStringLiteral {
    let source: PropertyMapping.Source
    let fallback: String?
    var combination: Combination?
    var sortKeys: [SortKey] = []

    /// The value of the source property of the same name.
    public static let sameName = PropertyValue(source: .sameName, fallback: nil)

    /// The destination property's default value.
    public static let leftAtDefault = PropertyValue(source: .leftAtDefault, fallback: nil)

    /// The value of an expression.
    ///
    /// - Parameters:
    ///   - text: in NSExpression's format.
    ///   - fallback: an expression that is used if the first gives nil; without it, the value stays
    ///     nil.
    public static func expression(_ text: String, default fallback: String? = nil) -> Self {
      PropertyValue(source: .expression(Located(text)), fallback: fallback)
    }

    /// How the values of the source objects that become one object combine, for a mapping with
    /// `mergeBy`.
    ///
    /// - Parameters:
    ///   - text: the value of each, in NSExpression's format; `nil` for that of the source attribute
    ///     of the same name.
    ///   - combination: how they combine.
    public static func combined(_ text: String? = nil, by combination: Combination) -> Self {
      var value = text.map { expression($0) } ?? sameName
      value.combination = combination
      return value
    }

    /// The related objects of an ordered relationship, sorted.
    ///
    /// - Parameters:
    ///   - text: the value of the relationship, in NSExpression's format; `nil` for the source
    ///     relationship of the same name.
    ///   - keys: what they are sorted by, the first before the others; at most four.
    public static func sorted(_ text: String? = nil, by keys: [SortKey]) -> Self {
      var value = text.map { expression($0) } ?? sameName
      value.sortKeys = keys
      return value
    }

    /// The value of an expression in NSExpression's format.
    public init(stringLiteral text: String) { self = .expression(text) }

    private init(source: PropertyMapping.Source, fallback: String?) {
      self.source = source
      self.fallback = fallback
    }
  }
}

extension MappingModel.EntityMapping {
  /// Properties by name, in the order in which they are processed.
  public typealias Properties = KeyValuePairs<String, MappingModel.PropertyValue>

  /// Creates a copy mapping: every property that both entities have is copied unchanged, unless it
  /// is listed.
  ///
  /// - Parameters:
  ///   - source: the source entity.
  ///   - destination: the destination entity; `nil` for the one with the same name.
  ///   - name: unique in the mapping model; `nil` for `SourceToDestination`.
  ///   - filter: a predicate over the source entity, in NSPredicate's format; `nil` for every
  ///     object.
  ///   - merge: what objects have in common that become one; `nil` when each stays by itself.
  ///   - attributes: the attributes that are not copied unchanged.
  ///   - relationships: the relationships that are not copied unchanged.
  public static func copy(
    _ source: String, to destination: String? = nil, name: String? = nil, filter: String? = nil,
    mergeBy merge: Merge? = nil, attributes: Properties = [:], relationships: Properties = [:]
  ) -> Self {
    var mapping = Self(
      name: name, kind: .copy, source: source, destination: destination ?? source, filter: filter,
      attributes: mappings(attributes), relationships: mappings(relationships))
    mapping.merge = merge
    return mapping
  }

  /// Creates a transform mapping: properties are mapped individually, and others keep their default
  /// values.
  ///
  /// - Parameters:
  ///   - source: the source entity.
  ///   - destination: the destination entity; `nil` for the one with the same name.
  ///   - name: unique in the mapping model; `nil` for `SourceToDestination`.
  ///   - filter: a predicate over the source entity, in NSPredicate's format; `nil` for every
  ///     object.
  ///   - list: a list; one object is made of each of its elements, `$element`. `nil` for one of each
  ///     source object.
  ///   - merge: what objects have in common that become one; `nil` when each stays by itself.
  ///   - attributes: the attributes that get values.
  ///   - relationships: the relationships that get related objects.
  public static func transform(
    _ source: String, to destination: String? = nil, name: String? = nil, filter: String? = nil,
    forEach list: String? = nil, mergeBy merge: Merge? = nil, attributes: Properties = [:],
    relationships: Properties = [:]
  ) -> Self {
    var mapping = Self(
      name: name, kind: .transform, source: source, destination: destination ?? source,
      filter: filter, attributes: mappings(attributes), relationships: mappings(relationships))
    mapping.forEach = list.map { Located($0) }
    mapping.merge = merge
    return mapping
  }

  /// Creates a custom mapping: a policy makes the destination objects.
  ///
  /// - Parameters:
  ///   - source: the source entity.
  ///   - destination: the destination entity; `nil` for the one with the same name.
  ///   - policy: the name under which the policy is registered: the name of its type by default.
  ///   - userInfo: passed to the policy unchanged.
  ///   - name: unique in the mapping model; `nil` for `SourceToDestination`.
  ///   - filter: a predicate over the source entity, in NSPredicate's format; `nil` for every
  ///     object.
  ///   - attributes: the attributes of the object that the mapping itself makes, for a policy that
  ///     asks for it.
  ///   - relationships: the relationships of that object.
  public static func custom(
    _ source: String, to destination: String? = nil, policy: String,
    userInfo: [String: String] = [:], name: String? = nil, filter: String? = nil,
    attributes: Properties = [:], relationships: Properties = [:]
  ) -> Self {
    Self(
      name: name, kind: .custom, source: source, destination: destination ?? source,
      filter: filter, policy: PolicyReference(name: policy, userInfo: userInfo),
      attributes: mappings(attributes), relationships: mappings(relationships))
  }

  /// Creates a remove mapping: the objects of the source entity are not migrated, but counted.
  ///
  /// - Parameters:
  ///   - source: the source entity.
  ///   - name: unique in the mapping model; `nil` for the entity's name.
  ///   - filter: a predicate for the objects, in NSPredicate's format; `nil` for every object.
  public static func remove(_ source: String, name: String? = nil, filter: String? = nil) -> Self {
    Self(name: name, kind: .remove, source: source, filter: filter)
  }

  /// Creates an add mapping: the destination entity is new. No object is made unless a policy makes
  /// it.
  ///
  /// - Parameters:
  ///   - destination: the destination entity.
  ///   - policy: the name of a policy that makes objects; `nil` for none.
  ///   - userInfo: passed to the policy unchanged.
  ///   - name: unique in the mapping model; `nil` for the entity's name.
  public static func add(
    _ destination: String, policy: String? = nil, userInfo: [String: String] = [:],
    name: String? = nil
  ) -> Self {
    Self(
      name: name, kind: .add, destination: destination,
      policy: policy.map { PolicyReference(name: $0, userInfo: userInfo) })
  }

  /// Creates an add mapping that makes objects.
  ///
  /// - Parameters:
  ///   - destination: the destination entity.
  ///   - objects: the values of the attributes of each object, as a store holds them; all others have
  ///     their default values. A number that is none (NaN) and a text that is not valid UTF-8 are refused
  ///     when a migration is planned (`MAP-036`).
  ///   - name: unique in the mapping model; `nil` for the entity's name.
  public static func add(
    _ destination: String, objects: [KeyValuePairs<String, Value>], name: String? = nil
  ) -> Self {
    var mapping = Self(name: name, kind: .add, destination: destination)
    mapping.addedObjects = objects.map { object in
      var added = AddedObject(
        values: object.map { (name: Located($0.key), value: PredicateArgument(stored: $0.value)) })
      for (name, value) in object {
        if let obstacle = value.obstacle { added.obstacles[name] = obstacle }
      }
      return added
    }
    return mapping
  }

  private static func mappings(_ properties: Properties) -> [PropertyMapping] {
    properties.map { name, value in
      var property = PropertyMapping(name: name, source: value.source, fallback: value.fallback)
      property.combination = value.combination
      property.sortKeys = value.sortKeys
      return property
    }
  }
}

extension Value {
  /// Why an object of a list cannot have the value: it would have another one; `nil` if it can.
  fileprivate var obstacle: String? {
    switch self {
    case .real(let number) where number.isNaN: "in a store, a number that is none (NaN) is nil"
    case .malformedText: "the bytes of the text are not valid UTF-8"
    default: nil
    }
  }
}

extension PredicateArgument {
  fileprivate init(stored value: Value) {
    self =
      switch value {
      case .null: .null
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      case .text(let text): .string(text)
      case .malformedText(let bytes): .string(String(decoding: bytes, as: UTF8.self))
      case .blob(let bytes): .data(Data(bytes))
      }
  }
}
