internal import PassageModels

/// The ledger in a store's metadata. Anybody may have written the file it is read from, so reading
/// is bounded, and anything malformed is left out and reported as damage.
extension MigrationLedger {
  /// The version of the written format; other versions are not read.
  private static let format: Int64 = 1
  /// The largest number of migrations read from a file: more than are ever written.
  private static let maximumRead = 1_000

  /// Reads a ledger.
  ///
  /// - Parameter list: the value that the store holds under ``key``; `nil` if it holds none, which
  ///   is not damage.
  package init(reading list: PropertyList?) {
    self.init()
    guard let list else { return }
    guard list["format"]?.integer == Self.format,
      let elements = list["migrations"]?.elements, elements.count <= Self.maximumRead
    else {
      isDamaged = true
      return
    }
    migrations = elements.compactMap(MigrationRecord.init(reading:))
    isDamaged = migrations.count != elements.count
    guard let found = list["earlier"] else { return }
    if let count = found.count("migrations"), let steps = found.count("steps"),
      let first = found.seconds("first"), let last = found.seconds("last"), count > 0
    {
      earlier = Earlier(migrations: count, steps: steps, firstSeconds: first, lastSeconds: last)
    } else {
      isDamaged = true
    }
  }

  /// The ledger as a store holds it. Equal ledgers give equal property lists.
  package var propertyList: PropertyList {
    var members = [PropertyList.Member("format", .integer(Self.format))]
    if let earlier {
      members.append(
        PropertyList.Member(
          "earlier",
          .dictionary([
            PropertyList.Member("migrations", .integer(earlier.migrations)),
            PropertyList.Member("steps", .integer(earlier.steps)),
            PropertyList.Member("first", .date(earlier.firstSeconds)),
            PropertyList.Member("last", .date(earlier.lastSeconds)),
          ])))
    }
    members.append(PropertyList.Member("migrations", .array(migrations.map(\.propertyList))))
    return .dictionary(members)
  }
}

extension MigrationRecord {
  fileprivate init?(reading list: PropertyList) {
    guard let seconds = list.seconds("date"), let elements = list["steps"]?.elements,
      !elements.isEmpty, let tool = list.name("tool"), let uuid = list.name("storeUUID")
    else { return nil }
    let steps = elements.compactMap(Step.init(reading:))
    guard steps.count == elements.count else { return nil }
    self.init(steps: steps, toolVersion: tool, seconds: seconds, storeUUID: uuid)
  }

  fileprivate var propertyList: PropertyList {
    .dictionary([
      PropertyList.Member("date", .date(seconds)),
      PropertyList.Member("tool", .name(toolVersion)),
      PropertyList.Member("storeUUID", .name(storeUUID)),
      PropertyList.Member("steps", .array(steps.map(\.propertyList))),
    ])
  }
}

extension MigrationRecord.Step {
  fileprivate init?(reading list: PropertyList) {
    guard let source = list.name("source"), let destination = list.name("destination"),
      let sourceChecksum = list.name("sourceChecksum"),
      let destinationChecksum = list.name("destinationChecksum"),
      let digest = list.name("digest"), digest.utf8.count == ContentDigest.digitCount,
      let mappings = list.names("mappings"), let inferred = list.names("inferred"),
      let counts = list["counts"].flatMap(MigrationRecord.Counts.init(reading:)),
      let elements = list["losses"]?.elements, elements.count <= Self.maximumLosses
    else { return nil }
    let losses = elements.compactMap(MigrationRecord.Loss.init(reading:))
    guard losses.count == elements.count else { return nil }
    // Records written before this member existed do not have it.
    guard let unlisted = list["unlistedLosses"] == nil ? 0 : list.count("unlistedLosses") else {
      return nil
    }
    self.init(
      source: source, destination: destination, sourceChecksum: sourceChecksum,
      destinationChecksum: destinationChecksum, mappings: mappings, inferred: inferred,
      digest: digest, counts: counts, losses: losses, unlistedLosses: unlisted)
  }

  fileprivate var propertyList: PropertyList {
    var members = [
      PropertyList.Member("source", .name(source)),
      PropertyList.Member("destination", .name(destination)),
      PropertyList.Member("sourceChecksum", .name(sourceChecksum)),
      PropertyList.Member("destinationChecksum", .name(destinationChecksum)),
      PropertyList.Member("mappings", .names(mappings)),
      PropertyList.Member("inferred", .names(inferred)),
      PropertyList.Member("digest", .name(digest)),
      PropertyList.Member("counts", counts.propertyList),
      PropertyList.Member("losses", .array(losses.map(\.propertyList))),
    ]
    if unlistedLosses > 0 {
      members.append(PropertyList.Member("unlistedLosses", .integer(unlistedLosses)))
    }
    return .dictionary(members)
  }
}

extension MigrationRecord.Counts {
  private static var members: [(name: String, path: WritableKeyPath<Self, Int64>)] {
    [
      ("read", \.read), ("filtered", \.filtered), ("migrated", \.migrated), ("split", \.split),
      ("merged", \.merged), ("removed", \.removed), ("quarantined", \.quarantined),
      ("added", \.added), ("made", \.made),
    ]
  }

  fileprivate init?(reading list: PropertyList) {
    self.init()
    for member in Self.members {
      guard let count = list.count(member.name) else { return nil }
      self[keyPath: member.path] = count
    }
  }

  fileprivate var propertyList: PropertyList {
    .dictionary(
      Self.members.map { PropertyList.Member($0.name, .integer(self[keyPath: $0.path])) })
  }
}

extension MigrationRecord.Loss {
  fileprivate init?(reading list: PropertyList) {
    guard let entity = list.name("entity"), let property = list.name("property"),
      let kind = list.name("kind"), let values = list.count("values")
    else { return nil }
    self.init(entity: entity, property: property, kind: kind, values: values)
  }

  fileprivate var propertyList: PropertyList {
    .dictionary([
      PropertyList.Member("entity", .name(entity)),
      PropertyList.Member("property", .name(property)),
      PropertyList.Member("kind", .name(kind)), PropertyList.Member("values", .integer(values)),
    ])
  }
}

extension MigrationLedger {
  /// A name as records have it: cut if it is long, and without characters that control a terminal.
  package static func recordedName(_ name: String) -> String { PropertyList.recorded(name) }
}

extension PropertyList {
  /// The longest name, in characters, that is read from a file.
  private static let maximumName = 500
  /// The longest list of names that is read.
  private static let maximumNames = 10_000

  /// A name in a form that can be read back.
  static func name(_ text: String) -> PropertyList { .string(recorded(text)) }

  fileprivate static func recorded(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(maximumName) {
      scalars.append(scalar.isSteering ? "\u{FFFD}" : scalar)
    }
    return String(scalars)
  }

  fileprivate static func names(_ texts: [String]) -> PropertyList {
    .array(texts.prefix(maximumNames).map { .name($0) })
  }

  /// The date of a member, between the year 1970 and the last year of four digits.
  func seconds(_ key: String) -> Double? {
    guard case .date(let seconds) = self[key],
      (-978_307_200..<250_000_000_000).contains(seconds)
    else { return nil }
    return seconds
  }

  /// A number that is not negative.
  fileprivate func count(_ key: String) -> Int64? {
    self[key]?.integer.flatMap { $0 >= 0 ? $0 : nil }
  }

  func name(_ key: String) -> String? { self[key].flatMap(\.name) }

  fileprivate func names(_ key: String) -> [String]? {
    guard let elements = self[key]?.elements, elements.count <= Self.maximumNames else {
      return nil
    }
    let names = elements.compactMap(\.name)
    return names.count == elements.count ? names : nil
  }

  /// A single-line text that is safe to print: no character in it can control a terminal.
  private var name: String? {
    guard let string, string.unicodeScalars.prefix(Self.maximumName + 1).count <= Self.maximumName,
      !string.unicodeScalars.contains(where: \.isSteering)
    else { return nil }
    return string
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is a control, or changes the direction of the text around it.
  fileprivate var isSteering: Bool {
    // Most names have nothing else, and the tables of Unicode are slow.
    if isASCII { return value < 0x20 || value == 0x7F }
    return switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
    default: (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    }
  }
}
