public import PassagePlatform
public import PassageValues

/// Reads properties by name and type, for policies. A name that the entity does not have, or a cell
/// with a value of another kind, is an error; nothing becomes `nil` silently.
extension SourceObject {
  /// The text of an attribute; `nil` when it has no value.
  public func text(_ name: String) throws(PolicyMistake) -> String? {
    try read(name, as: "a text", \.string)
  }

  /// The whole number of an attribute, or the key of a to-one relationship; `nil` when it has no
  /// value.
  public func integer(_ name: String) throws(PolicyMistake) -> Int64? {
    let position = try position(of: name)
    if let value = storedInteger(at: position) { return value }
    return try other(position)
  }

  @inline(never)
  private func other(_ position: Int) throws(PolicyMistake) -> Int64? {
    try read(position, as: "a whole number", \.integer)
  }

  /// The number of an attribute; `nil` when it has no value.
  public func double(_ name: String) throws(PolicyMistake) -> Double? {
    let position = try position(of: name)
    if let value = number(at: position).double { return value }
    return try read(position, as: "a number", \.double)
  }

  /// The decimal number of an attribute, with the digits that the store shows; `nil` when it has no
  /// value.
  public func decimal(_ name: String) throws(PolicyMistake) -> Decimal? {
    try read(name, as: "a decimal number", \.decimal)
  }

  /// The Boolean value of an attribute; `nil` when it has no value.
  public func bool(_ name: String) throws(PolicyMistake) -> Bool? {
    try read(name, as: "a truth value", \.bool)
  }

  /// The date of an attribute; `nil` when it has no value.
  public func date(_ name: String) throws(PolicyMistake) -> Date? {
    try read(name, as: "a date", \.date)
  }

  /// The UUID of an attribute; `nil` when it has no value.
  public func uuid(_ name: String) throws(PolicyMistake) -> UUID? {
    try read(name, as: "a UUID", \.uuid)
  }

  /// The bytes of an attribute as its column stores them; `nil` when it has no value.
  public func bytes(_ name: String) throws(PolicyMistake) -> [UInt8]? {
    try read(name, as: "bytes", \.bytes)
  }

  private func read<Wanted>(
    _ name: String, as kind: String, _ wanted: (Value) -> Wanted?
  ) throws(PolicyMistake) -> Wanted? {
    try read(position(of: name), as: kind, wanted)
  }

  private func read<Wanted>(
    _ position: Int, as kind: String, _ wanted: (Value) -> Wanted?
  ) throws(PolicyMistake) -> Wanted? {
    let cell = value(at: position)
    if cell.isNull { return nil }
    guard let value = wanted(cell) else {
      throw PolicyMistake(
        "“\(shape.entityName).\(shape.names[position])” holds \(cell.kindName), which is not \(kind)"
      )
    }
    return value
  }

  @inline(__always)
  private func position(of name: String) throws(PolicyMistake) -> Int {
    guard let position = shape.position(of: name) else { throw unknown(name) }
    return position
  }

  @inline(never)
  private func unknown(_ name: String) -> PolicyMistake {
    PolicyMistake(
      "“\(shape.entityName)” has no attribute or to-one relationship “\(name)”; it has "
        + shape.names.joined(separator: ", "))
  }
}

extension Value {
  /// The cell as a decimal number. A floating-point number is converted with the fewest digits that
  /// identify it; text is parsed.
  fileprivate var decimal: Decimal? {
    switch self {
    case .integer(let value): Decimal(value)
    case .real(let value) where value.isFinite: Decimal(string: "\(value)")
    case .text(let value): Decimal(string: value)
    default: nil
    }
  }
}
