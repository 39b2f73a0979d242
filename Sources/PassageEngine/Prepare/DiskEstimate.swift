internal import PassageDiagnostics
internal import PassageMappings
internal import PassageModels
internal import PassagePlanning
internal import PassageValues

/// An estimate of the disk space that a migration needs.
///
/// What is copied has a known size. What policies and expressions compute has not: a date that is printed
/// takes more bytes than the date, and nothing bounds a text. Each such column counts with the bytes that a
/// value of its type usually takes, so the estimate may be too high or too low. A run is refused only where
/// not even a copy of the source fits.
struct DiskEstimate {
  /// What the run is estimated to need at most at a time, in bytes.
  let neededBytes: Int64
  /// Below that, no run is begun: the size of the source.
  let minimumBytes: Int64

  /// - Parameters:
  ///   - sourceBytes: the size of the source.
  ///   - isForeign: whether it is a store of another type, which is copied into Core Data's layout first.
  ///   - isConverted: whether the result is written as a store of another type in the end.
  ///   - counts: the objects of the source by entity.
  init(
    steps: [PlannedStep], sourceBytes: Int64, isForeign: Bool, isConverted: Bool,
    counts: [String: Int64]
  ) {
    // Products of numbers that a damaged store may give; a sum of them need not be exact.
    var step = StepSize(read: Double(sourceBytes), counts: counts.mapValues(Double.init))
    var peak = step.read
    for (index, planned) in steps.enumerated() {
      // What the step reads is in the work folder too, if a step before or the staging made it.
      let standing = index > 0 || isForeign ? step.read : 0
      let sizes = step.passes(of: planned)
      let made = sizes.reduce(0, +)
      // The largest pass store becomes the step's; the others are appended to it.
      peak = max(peak, standing + made + made - (sizes.max() ?? made))
      step = StepSize(read: made, counts: step.made(by: planned))
    }
    if isConverted { peak = max(peak, step.read * 2) }
    minimumBytes = sourceBytes
    // Journals, and what is in the folder besides.
    neededBytes = Int64(min(peak, 1e18)).advanced(by: 1 << 20)
  }

  /// The warning of a plan about a disk on which the run may end.
  func warning(freeBytes: Int64, inFolder folder: String) -> Diagnostic? {
    guard freeBytes < neededBytes else { return nil }
    return Diagnostic(
      "RUN-091", "the disk may be too small", severity: .warning,
      at: SourceLocation(file: folder),
      reason: "about \(neededBytes) bytes are needed, \(freeBytes) are free; of values that "
        + "policies and expressions compute, the size can only be estimated",
      remedy: "free some disk space, or name a destination on another disk; a run that fills the "
        + "disk can be continued when there is room")
  }
}

/// How large the stores of a step are estimated to be.
private struct StepSize {
  /// What the step reads, in bytes.
  let read: Double
  /// The objects that it reads, by entity.
  let counts: [String: Double]

  /// The sizes of the pass stores of a step, in bytes.
  func passes(of step: PlannedStep) -> [Double] {
    var readers: [String: Double] = [:]
    for mapping in step.passes.flatMap(\.entityMappings) where mapping.destination != nil {
      guard let source = mapping.source, counts[source.name, default: 0] > 0 else { continue }
      readers[source.name, default: 0] += 1
    }
    // An entity that several mappings read is copied by each; which entity has the bytes is not known.
    let copies = max(1, readers.values.max() ?? 1)
    let copied = read * copies / Double(max(1, step.passes.count))
    return step.passes.map { pass in
      pass.entityMappings.reduce(copied) { $0 + computedBytes(of: $1, in: step.destination) }
    }
  }

  /// The objects that a step makes, by entity.
  func made(by step: PlannedStep) -> [String: Double] {
    var made: [String: Double] = [:]
    for mapping in step.passes.flatMap(\.entityMappings) {
      guard let destination = mapping.destination else { continue }
      made[destination.name, default: 0] += rows(of: mapping)
    }
    return made
  }

  private func rows(of mapping: BoundEntityMapping) -> Double {
    guard let source = mapping.source else { return Double(mapping.addedObjects.count) }
    let growth = mapping.elements == nil ? 1 : Double(WorkMemory.growthOfLists)
    return counts[source.name, default: 0] * growth
  }

  /// The bytes of what an entity mapping adds to copies: columns, indexes, associations.
  private func computedBytes(of mapping: BoundEntityMapping, in model: Model) -> Double {
    guard let destination = mapping.destination else { return 0 }
    let bound = Dictionary(
      mapping.attributes.map { ($0.attribute.name, $0) }, uniquingKeysWith: { first, _ in first })
    let attributes = model.attributes(of: destination).filter(\.isStored)
    var rowBytes = 0.0
    for attribute in attributes {
      if let value = bound[attribute.name] {
        if mapping.copiedAttribute(of: value) == nil { rowBytes += attribute.type.usualBytes }
      } else if mapping.mapping.policy != nil || attribute.defaultValue != .null {
        rowBytes += attribute.type.usualBytes
      }
    }
    let types = Dictionary(
      attributes.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
    for entity in model.lineage(of: destination) {
      let indexed = entity.indexes.map { $0.elements.map(\.propertyName) }
      for names in indexed + entity.uniquenessConstraints {
        // A relationship is a number, and so is the row's key in the index; an expression may be a text.
        rowBytes += names.reduce(numberBytes) {
          $0 + (types[$1]?.usualBytes ?? ($1.isEmpty ? textBytes : numberBytes))
        }
      }
    }
    // Where a key does not say which object a source object became, a row and its index do.
    if mapping.elements != nil || mapping.merge != nil { rowBytes += 4 * numberBytes }
    return rows(of: mapping) * rowBytes
  }
}

/// A number of eight bytes with its type.
private let numberBytes = 9.0
/// A short sentence, as a printed date.
private let textBytes = 32.0

extension AttributeType {
  /// The bytes that a computed value of this type usually takes in a row.
  fileprivate var usualBytes: Double {
    switch self {
    case .boolean: 1
    case .integer16: 3
    case .integer32: 5
    case .integer64, .decimal, .double, .float, .date, .objectID: numberBytes
    case .uuid: 17
    case .string, .uri: textBytes
    case .binary, .transformable, .composite, .undefined: 2 * textBytes
    }
  }
}
