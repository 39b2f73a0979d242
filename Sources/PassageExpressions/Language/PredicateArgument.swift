package import PassagePlatform

/// A typed value for a placeholder (`%@`, `%K`, `%ld` …) or a variable of a format text.
///
/// A date, a UUID, a URL and data have no literals. In a tree they are a `CAST` of a number or a
/// text, which can be printed and parsed.
package enum PredicateArgument: Sendable, Hashable {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// NaN becomes nil, as in a store.
  case real(Double)
  case string(String)
  case date(Date)
  case uuid(UUID)
  case url(String)
  case data(Data)
  /// An object, identified by its entity and primary key.
  case object(entity: String, key: Int64)
  /// A list for `IN` and `BETWEEN`.
  case list([PredicateArgument])
  /// The names of properties and collection operators, separated by points, such as `owner.name` or
  /// `items.@count`: for `%K`, and for `%@` in place of a key path.
  case keyPath(String)
}

extension PredicateArgument: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral
{
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(floatLiteral value: Double) { self = .real(value) }
  package init(stringLiteral value: String) { self = .string(value) }
  package init(booleanLiteral value: Bool) { self = .boolean(value) }
  package init(arrayLiteral elements: PredicateArgument...) { self = .list(elements) }
}

extension PredicateArgument {
  /// A date from ISO 8601 with its zone, such as `2024-01-31T12:00:00Z`, or without time; `nil` for
  /// any other text.
  package static func date(_ text: String) -> PredicateArgument? {
    ISO8601.seconds(text).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
  }

  /// A date as a text for ``date(_:)-type.method``, to the microsecond; `nil` outside the years 0
  /// to 9999.
  package static func text(of date: Date) -> String? {
    ISO8601.text(date.timeIntervalSinceReferenceDate)
  }

  /// An object from Core Data's URI for it, such as `x-coredata:///Book/p12`, with the primary key
  /// after the `p`; `nil` for any other text. A store in the URI is ignored.
  package static func object(_ uri: String) -> PredicateArgument? {
    ObjectURI(uri).map { .object(entity: $0.entityName, key: $0.key) }
  }

  /// The URI of an object, in the form that ``object(_:)`` parses.
  package static func uri(ofObject entity: String, key: Int64) -> String {
    ObjectURI(entityName: entity, key: key).text
  }

  /// The value in the format language.
  package var expressionText: String { expression.description }

  /// The value as a tree.
  package var tree: ValueExpression { expression }

  /// The value as a tree.
  var expression: ValueExpression { expression(at: .none) }

  func expression(at position: SourcePosition) -> ValueExpression {
    func cast(_ value: ValueExpression, _ type: String) -> ValueExpression {
      .function(
        target: nil, selector: "castObject:toType:",
        arguments: [value, .constant(.string(type), at: position)], at: position)
    }
    func text(_ text: String) -> ValueExpression { .constant(.string(text), at: position) }
    switch self {
    case .null: return .constant(.null, at: position)
    case .boolean(let value): return .constant(.boolean(value), at: position)
    case .integer(let value): return .constant(.integer(value), at: position)
    case .real(let value): return Self.number(value, at: position)
    case .string(let value): return .constant(.string(value), at: position)
    case .date(let date):
      return cast(Self.number(date.timeIntervalSinceReferenceDate, at: position), "NSDate")
    case .uuid(let uuid): return cast(text(uuid.uuidString), "NSUUID")
    case .url(let url): return cast(text(url), "NSURL")
    case .data(let data): return cast(text(data.base64EncodedString()), "NSData")
    case .object(let entity, let key):
      return cast(text(ObjectURI(entityName: entity, key: key).text), "NSManagedObjectID")
    case .list(let elements):
      return .aggregate(elements.map { $0.expression(at: position) }, at: position)
    case .keyPath(let text):
      let components = Self.components(text)
      return components.isEmpty
        ? .selfObject(at: position) : .keyPath(nil, components, at: position)
    }
  }

  /// Infinity has no literal; it is written as an overflow.
  private static func number(_ value: Double, at position: SourcePosition) -> ValueExpression {
    guard value.isInfinite else {
      return .constant(value.isNaN ? .null : .real(value), at: position)
    }
    let largest = value < 0 ? -Double.greatestFiniteMagnitude : .greatestFiniteMagnitude
    return .function(
      target: nil, selector: "multiply:by:",
      arguments: [.constant(.real(largest), at: position), .constant(.real(2), at: position)],
      at: position)
  }

  /// The components of a key path; a leading `SELF` adds none.
  static func components(_ text: String) -> [KeyPathComponent] {
    var names = text.split(separator: ".", omittingEmptySubsequences: true).map(String.init)
    if names.first?.uppercased() == "SELF" { names.removeFirst() }
    return names.map {
      $0.hasPrefix("@") && $0.count > 1
        ? .collectionOperator(String($0.dropFirst())) : .name($0)
    }
  }
}
