internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassagePlanning
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// How a cell is converted when only one side of a mapping allows external storage.
///
/// If both sides allow it, the cell is copied unchanged, even if it is a reference to a file. Both
/// lanes call the same two functions.
enum ExternalConversion: String {
  /// The value gets the marker of an inline value.
  case mark = "passage_external_mark"
  /// The marker is removed; a value in a file of its own is read.
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
  /// - Throws: `STO-311` for a value whose file cannot be read, `STO-313` for a reference that does
  ///   not name a file.
  func convert(_ value: Value, folder: ExternalFolder) throws -> Value {
    guard case .blob(let bytes) = value else { return value }
    if self == .mark { return .blob([ExternalValue.inlineMarker] + bytes) }
    return try folder.value(ofCell: bytes)
  }

  /// An SQL expression, converted.
  func sql(_ value: String) -> String { "\(rawValue)(\(value))" }

  /// Registers both functions with a connection, so that SQL can call them.
  static func register(on connection: Connection, folder: ExternalFolder) throws {
    for conversion in [ExternalConversion.mark, .unmark] {
      try connection.register(
        SQLFunction(name: conversion.rawValue, argumentCount: 1) {
          try conversion.convert($0.first ?? .null, folder: folder)
        })
    }
  }

  /// The attributes of the first step's source whose files must be read by any of the steps, as
  /// `Entity.attribute` with the entity that declares the attribute.
  ///
  /// A step that copies a reference leaves reading to the next ones.
  static func attributesRead(in steps: [PlannedStep]) -> Set<String> {
    steps.reversed().reduce(into: []) { read, step in
      read = attributesRead(in: step, before: read)
    }
  }

  /// The source attributes of a step whose files must be read by it or later.
  ///
  /// - Parameter later: the attributes of the step's destination whose files must be read later.
  private static func attributesRead(
    in step: PlannedStep, before later: Set<String>
  ) -> Set<String> {
    var names: Set<String> = []
    for bound in step.passes.flatMap(\.entityMappings) {
      guard let entity = bound.source, let destination = bound.destination else { continue }
      let declaring = later.isEmpty ? [] : step.destination.lineage(of: destination)
      for attribute in bound.attributes {
        let isReadLater = declaring.contains {
          later.contains("\($0.name).\(attribute.attribute.name)")
        }
        for value in [attribute.value, attribute.fallback].compactMap(\.self)
        where isReadLater || ExternalConversion(of: value, to: attribute.attribute) == .unmark {
          guard let path = value.copiedCell, case .attribute(let read) = path.leaf,
            read.allowsExternalBinaryDataStorage
          else { continue }
          // A path may end at another entity, so every entity that declares the attribute counts.
          let owners =
            path.relationships.isEmpty ? step.source.lineage(of: entity) : step.source.entities
          for owner in owners where owner.attributes.contains(read) {
            names.insert("\(owner.name).\(read.name)")
          }
        }
      }
    }
    return names
  }
}

extension Attribute {
  /// The default value in the form that a column of a store holds.
  var storedDefault: Value { storedForm(of: defaultValue) }

  /// A value in the form that a column of a store holds: where external storage is allowed, bytes
  /// follow a marker.
  func storedForm(of value: Value) -> Value {
    guard allowsExternalBinaryDataStorage, case .blob(let bytes) = value else { return value }
    return .blob([ExternalValue.inlineMarker] + bytes)
  }
}
