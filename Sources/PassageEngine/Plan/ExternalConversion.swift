internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassagePlanning
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// What must be done to a cell when external storage is allowed on one side of a mapping alone.
///
/// Where both sides allow it the cell is carried over as it is, references included. Both lanes call
/// the same two functions.
enum ExternalConversion: String {
  /// The value gets the marker that it follows.
  case mark = "passage_external_mark"
  /// The marker is taken away; a value in a file of its own is read.
  case unmark = "passage_external_unmark"

  /// The conversion that the value of a destination attribute needs; `nil` for none.
  init?(of expression: BoundExpression, to attribute: Attribute) {
    var isMarked = false
    if case .attribute(let source)? = expression.copiedCell?.leaf {
      isMarked = source.allowsExternalBinaryDataStorage
    }
    switch (isMarked, attribute.allowsExternalBinaryDataStorage) {
    case (false, true): self = .mark
    case (true, false): self = .unmark
    default: return nil
    }
  }

  /// Converts a cell.
  ///
  /// - Parameter folder: the folder of the source's external data.
  /// - Throws: `STO-311` for a value whose file cannot be read, `STO-313` for a reference that names
  ///   none.
  func convert(_ value: Value, folder: ExternalFolder) throws -> Value {
    guard case .blob(let bytes) = value else { return value }
    if self == .mark { return .blob([ExternalValue.inlineMarker] + bytes) }
    return try folder.value(ofCell: bytes)
  }

  /// Makes both functions callable from SQL.
  static func register(on connection: Connection, folder: ExternalFolder) throws {
    for conversion in [ExternalConversion.mark, .unmark] {
      try connection.register(
        SQLFunction(name: conversion.rawValue, argumentCount: 1) {
          try conversion.convert($0.first ?? .null, folder: folder)
        })
    }
  }

  /// The source attributes of a step whose files must be read, as `Entity.attribute` by the entity that
  /// declares each.
  static func attributesRead(in step: PlannedStep) -> Set<String> {
    var names: Set<String> = []
    for bound in step.passes.flatMap(\.entityMappings) {
      for attribute in bound.attributes
      where ExternalConversion(of: attribute.value, to: attribute.attribute) == .unmark {
        guard case .attribute(let read)? = attribute.value.copiedCell?.leaf,
          let entity = bound.source
        else { continue }
        // A path may end in another entity; every one that declares the attribute counts.
        let owners =
          attribute.value.copiedCell?.relationships.isEmpty == true
          ? step.source.lineage(of: entity) : step.source.entities
        for owner in owners where owner.attributes.contains(read) {
          names.insert("\(owner.name).\(read.name)")
        }
      }
    }
    return names
  }

  /// The expressions that compute with an attribute whose values may be files: what they would see is
  /// the reference. Taking it over, and asking whether it is nil, are all that is possible.
  static func refusals(in steps: [PlannedStep]) -> Diagnostics {
    var refusals = Diagnostics()
    for bound in steps.flatMap(\.passes).flatMap(\.entityMappings) {
      for attribute in bound.attributes {
        for expression in [attribute.value, attribute.fallback].compactMap(\.self)
        where expression.copiedCell == nil
          && (expression.type != .boolean || expression.callsPolicy)
        {
          let external = expression.keyPaths.first { path in
            if case .attribute(let source) = path.leaf {
              source.allowsExternalBinaryDataStorage
            } else {
              false
            }
          }
          guard let external else { continue }
          refusals.append(
            Diagnostic(
              "STO-318",
              "“\(bound.name)” computes “\(attribute.attribute.name)” from “\(external.name)”, "
                + "whose values may be files",
              reason: "an expression sees the reference, not the bytes of the file",
              remedy: "take the attribute over as it is, or ask only whether it is nil"))
        }
      }
    }
    return refusals
  }
}

extension Attribute {
  /// The default as a column of a store holds it.
  var storedDefault: Value {
    guard allowsExternalBinaryDataStorage, case .blob(let bytes) = defaultValue else {
      return defaultValue
    }
    return .blob([ExternalValue.inlineMarker] + bytes)
  }
}
