internal import PassageDiagnostics

extension MappingModel {
  /// Where the value of a destination property comes from. A string literal is an expression.
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

    /// The value of the source property of the same name.
    public static let sameName = PropertyValue(source: .sameName, fallback: nil)

    /// The destination property's own default.
    public static let leftAtDefault = PropertyValue(source: .leftAtDefault, fallback: nil)

    /// What an expression gives.
    ///
    /// - Parameters:
    ///   - text: in NSExpression's format.
    ///   - fallback: an expression used where the first gives nil; `nil` leaves it nil.
    public static func expression(_ text: String, default fallback: String? = nil) -> Self {
      PropertyValue(source: .expression(Located(text)), fallback: fallback)
    }

    /// What an expression in NSExpression's format gives.
    public init(stringLiteral text: String) { self = .expression(text) }

    private init(source: PropertyMapping.Source, fallback: String?) {
      self.source = source
      self.fallback = fallback
    }
  }
}

extension MappingModel.EntityMapping {
  /// Properties by name, in the order they are processed.
  public typealias Properties = KeyValuePairs<String, MappingModel.PropertyValue>

  /// Every property that both entities have is copied unchanged, unless it is listed.
  ///
  /// - Parameters:
  ///   - source: the source entity.
  ///   - destination: the destination entity; `nil` for the one of the same name.
  ///   - name: unique in the mapping model; `nil` for `SourceToDestination`.
  ///   - filter: a predicate over the source entity, in NSPredicate's format; `nil` takes every object.
  ///   - attributes: those that are not taken over as they are.
  ///   - relationships: in the same way.
  public static func copy(
    _ source: String, to destination: String? = nil, name: String? = nil, filter: String? = nil,
    attributes: Properties = [:], relationships: Properties = [:]
  ) -> Self {
    Self(
      name: name, kind: .copy, source: source, destination: destination ?? source, filter: filter,
      attributes: mappings(attributes), relationships: mappings(relationships))
  }

  /// Properties are mapped one by one; the others are left at their defaults.
  ///
  /// - Parameters:
  ///   - source: the source entity.
  ///   - destination: the destination entity; `nil` for the one of the same name.
  ///   - name: unique in the mapping model; `nil` for `SourceToDestination`.
  ///   - filter: a predicate over the source entity, in NSPredicate's format; `nil` takes every object.
  ///   - attributes: the attributes that get values.
  ///   - relationships: the relationships that are kept.
  public static func transform(
    _ source: String, to destination: String? = nil, name: String? = nil, filter: String? = nil,
    attributes: Properties = [:], relationships: Properties = [:]
  ) -> Self {
    Self(
      name: name, kind: .transform, source: source, destination: destination ?? source,
      filter: filter, attributes: mappings(attributes), relationships: mappings(relationships))
  }

  /// A policy makes the destination objects.
  ///
  /// - Parameters:
  ///   - source: the source entity.
  ///   - destination: the destination entity; `nil` for the one of the same name.
  ///   - policy: the name it is registered under: the type's, unless it says otherwise.
  ///   - userInfo: handed to the policy as it is.
  ///   - name: unique in the mapping model; `nil` for `SourceToDestination`.
  ///   - filter: a predicate over the source entity, in NSPredicate's format; `nil` takes every object.
  ///   - attributes: what the mapping's own object gets, for a policy that asks for it.
  ///   - relationships: in the same way.
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

  /// The objects of the source entity are left behind and counted.
  ///
  /// - Parameters:
  ///   - source: the source entity.
  ///   - name: unique in the mapping model; `nil` for the entity's.
  ///   - filter: which of them, in NSPredicate's format; `nil` for all.
  public static func remove(_ source: String, name: String? = nil, filter: String? = nil) -> Self {
    Self(name: name, kind: .remove, source: source, filter: filter)
  }

  /// The destination entity is new. No object is made unless a policy makes it.
  ///
  /// - Parameters:
  ///   - destination: the destination entity.
  ///   - policy: the name of a policy that makes objects; `nil` for none.
  ///   - userInfo: handed to the policy as it is.
  ///   - name: unique in the mapping model; `nil` for the entity's.
  public static func add(
    _ destination: String, policy: String? = nil, userInfo: [String: String] = [:],
    name: String? = nil
  ) -> Self {
    Self(
      name: name, kind: .add, destination: destination,
      policy: policy.map { PolicyReference(name: $0, userInfo: userInfo) })
  }

  private static func mappings(_ properties: Properties) -> [PropertyMapping] {
    properties.map { name, value in
      PropertyMapping(name: name, source: value.source, fallback: value.fallback)
    }
  }
}
