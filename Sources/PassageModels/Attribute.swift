public import PassageValues

/// Core Data's attribute types, with `NSAttributeType`'s numbers: they enter the version hash.
public enum AttributeType: UInt32, Sendable, Hashable, CaseIterable {
  /// No type: only a transient attribute may have it.
  case undefined = 0
  /// A whole number of 16 bits.
  case integer16 = 100
  /// A whole number of 32 bits.
  case integer32 = 200
  /// A whole number of 64 bits.
  case integer64 = 300
  /// A decimal number.
  case decimal = 400
  /// A floating-point number of 64 bits.
  case double = 500
  /// A floating-point number of 32 bits.
  case float = 600
  /// A text.
  case string = 700
  /// A truth value.
  case boolean = 800
  /// A moment: seconds since 2001-01-01 UTC.
  case date = 900
  /// Bytes.
  case binary = 1000
  /// A UUID.
  case uuid = 1100
  /// A URI.
  case uri = 1200
  /// Any object, as the bytes that a value transformer makes of it.
  case transformable = 1800
  /// The identity of an object; it is never stored.
  case objectID = 2000
  /// Several attributes under one name.
  case composite = 2100

  /// Whether a column of this type holds bytes of any length.
  package var holdsBytes: Bool {
    switch self {
    case .binary, .transformable, .composite, .undefined: true
    default: false
    }
  }
}

/// A value an object has: Core Data's `NSAttributeDescription`.
public struct Attribute: Sendable, Hashable {
  /// Unique among all properties of the entity, inherited ones included.
  public var name: String
  /// What values the attribute holds.
  public var type: AttributeType
  /// Whether an object may have no value.
  public var isOptional: Bool
  /// A transient attribute has no column and no part in the version hash.
  public var isTransient: Bool
  /// What a new object holds, as it is stored; `null` when there is no default.
  public var defaultValue: Value
  /// Whether large values may live in a file of their own beside the store.
  public var allowsExternalBinaryDataStorage: Bool
  /// Whether the persistent history keeps the value of a deleted object.
  public var preservesValueOnDeletion: Bool
  /// A derived attribute's expression as written in the model; `nil` for a stored attribute.
  public var derivation: String?
  /// Which objects a derivation over a to-many relationship counts, in NSPredicate's format; only
  /// code and compiled models can say so.
  public var derivationFilter: String?
  /// The least value, or the least length of a string, as written; judged by validation.
  public var minimum: String?
  /// The greatest value, or the greatest length of a string, as written; judged by validation.
  public var maximum: String?
  /// What a string must match; judged by validation.
  public var regularExpression: String?
  /// The transformer apps use for a transformable attribute. Kept, never looked up.
  public var valueTransformerName: String?
  /// The class apps use for the values. Kept, never looked up.
  public var valueClassName: String?
  /// The elements of a composite attribute.
  public var elements: [Attribute]
  /// Xcode's old check box; newer models name an ``Entity/Index`` instead.
  public var isIndexed: Bool
  /// The name under which an earlier version knew the attribute.
  public var renamingIdentifier: String?
  /// Text that changes the version hash and nothing else.
  public var versionHashModifier: String?
  /// Free texts by key. Not part of the version hash.
  public var userInfo: [String: String]

  /// Makes an attribute. Unless the arguments say otherwise, it is optional, stored and has no default.
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
