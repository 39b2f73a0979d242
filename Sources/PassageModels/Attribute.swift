public import PassageValues

/// Core Data's attribute types, with the numbers of `NSAttributeType`, which are part of the
/// version hash.
public enum AttributeType: UInt32, Sendable, Hashable, CaseIterable {
  /// No type: only a transient attribute may have it.
  case undefined = 0
  /// A 16-bit integer.
  case integer16 = 100
  /// A 32-bit integer.
  case integer32 = 200
  /// A 64-bit integer.
  case integer64 = 300
  /// A decimal number.
  case decimal = 400
  /// A 64-bit floating-point number.
  case double = 500
  /// A 32-bit floating-point number.
  case float = 600
  /// A text.
  case string = 700
  /// A Boolean.
  case boolean = 800
  /// A point in time: seconds since 2001-01-01 UTC.
  case date = 900
  /// Bytes.
  case binary = 1000
  /// A UUID.
  case uuid = 1100
  /// A URI.
  case uri = 1200
  /// Any object, as bytes made by a value transformer.
  case transformable = 1800
  /// The identity of an object; it is never stored.
  case objectID = 2000
  /// Several attributes under one name.
  case composite = 2100

  /// Whether a column of this type can hold bytes of any length.
  package var holdsBytes: Bool {
    switch self {
    case .binary, .transformable, .composite, .undefined: true
    default: false
    }
  }
}

/// An attribute of an entity: Core Data's `NSAttributeDescription`.
public struct Attribute: Sendable, Hashable {
  /// Unique among all properties of the entity, inherited ones included.
  public var name: String
  /// The type of the values.
  public var type: AttributeType
  /// Whether the value of an object may be nil.
  public var isOptional: Bool
  /// Whether it is transient: it has no column and is not part of the version hash.
  public var isTransient: Bool
  /// The default value in its stored form; `null` if there is none.
  public var defaultValue: Value
  /// Whether large values may be stored in separate files beside the store.
  public var allowsExternalBinaryDataStorage: Bool
  /// Whether persistent history keeps the value of a deleted object.
  public var preservesValueOnDeletion: Bool
  /// A derived attribute's expression as written in the model; `nil` for a stored attribute.
  public var derivation: String?
  /// The filter for the objects that a derivation over a to-many relationship counts, in
  /// NSPredicate's format. Only code and compiled models can have one.
  public var derivationFilter: String?
  /// The smallest value, or the smallest length of a string, as written. It is used only by
  /// validation.
  public var minimum: String?
  /// The largest value, or the largest length of a string, as written. It is used only by
  /// validation.
  public var maximum: String?
  /// The regular expression that a string must match. It is used only by validation.
  public var regularExpression: String?
  /// The name of the value transformer that apps use for a transformable attribute. It is preserved
  /// but never used.
  public var valueTransformerName: String?
  /// The name of the class that apps use for the values. It is preserved but never used.
  public var valueClassName: String?
  /// The elements of a composite attribute.
  public var elements: [Attribute]
  /// The old "Indexed" check box of Xcode; newer models have an ``Entity/Index`` instead.
  public var isIndexed: Bool
  /// The name that the attribute had in an earlier version.
  public var renamingIdentifier: String?
  /// A text that only changes the version hash.
  public var versionHashModifier: String?
  /// Free texts by key. Not part of the version hash.
  public var userInfo: [String: String]

  /// Creates an attribute. By default it is optional, stored and has no default value.
  public init(
    name: String, type: AttributeType, isOptional: Bool = true, isTransient: Bool = false,
    defaultValue: Value = .null, allowsExternalBinaryDataStorage: Bool = false,
    preservesValueOnDeletion: Bool = false, derivation: String? = nil,
    derivationFilter: String? = nil, minimum: String? = nil,
    maximum: String? = nil, regularExpression: String? = nil, valueTransformerName: String? = nil,
    valueClassName: String? = nil, elements: [Attribute] = [], isIndexed: Bool = false,
    renamingIdentifier: String? = nil, versionHashModifier: String? = nil,
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.defaultValue = defaultValue
    self.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
    self.preservesValueOnDeletion = preservesValueOnDeletion
    self.derivation = derivation
    self.derivationFilter = derivationFilter
    self.minimum = minimum
    self.maximum = maximum
    self.regularExpression = regularExpression
    self.valueTransformerName = valueTransformerName
    self.valueClassName = valueClassName
    self.elements = elements
    self.isIndexed = isIndexed
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
  }

  /// Whether the attribute has a column: neither transient nor without a type.
  public var isStored: Bool { !isTransient && type != .undefined }
}
