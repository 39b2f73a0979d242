internal import PassageDiagnostics
internal import PassageModels
internal import PassageStores

/// The columns that the entities of a text file use, in the order in which they first occur.
struct UsedColumns {
  /// More names than the models of stores have: a table has at most 32,767 columns.
  static let maximumNames = 50_000

  let path: String
  private var count = 0
  private var entities: [String] = []
  private var columns: [String: [String]] = [:]
  private var used: [String: Set<String>] = [:]

  init(path: String) { self.path = path }

  /// - Throws: `ATM-073` for more names than any model has. They would all be in memory.
  mutating func note(_ entity: String) throws(Diagnostics) {
    if columns[entity] == nil {
      try countName()
      columns[entity] = []
      entities.append(entity)
    }
  }

  mutating func note(_ column: String, of entity: String, hasValue: Bool) throws(Diagnostics) {
    try note(entity)
    guard hasValue, used[entity, default: []].insert(column).inserted else { return }
    try countName()
    columns[entity]?.append(column)
  }

  private mutating func countName() throws(Diagnostics) {
    count += 1
    guard count > Self.maximumNames else { return }
    throw Diagnostics([
      Diagnostic(
        "ATM-073", "the file names more than \(Self.maximumNames) entities and properties",
        at: SourceLocation(file: path),
        reason: "no model has so many: values may be in their place",
        remedy: "check the names, or name the column of the entity in "
          + TextStoreSettings.path(of: path))
    ])
  }

  /// Whether there is no entity.
  var isEmpty: Bool { entities.isEmpty }

  /// The entity of all records; `nil` if there are several.
  var onlyEntity: String? { entities.count == 1 ? entities[0] : nil }

  /// The file's name without its extension.
  static func baseName(_ path: String) -> String {
    let name = StoreUnit(path: path).name
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// - Parameter types: the types of attributes by entity and column; the others are strings.
  func model(types: [String: [String: AttributeType]]) -> Model {
    Model(
      name: Self.baseName(path),
      entities: entities.map { entity in
        var taken: Set<String> = []
        return Entity(
          name: entity,
          attributes: (columns[entity] ?? []).map { column in
            let plain = column.utf8.allSatisfy { byte in
              byte == UInt8(ascii: "_") || DecimalText.isDigit(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            }
            let isName =
              plain && column.utf8.count <= TableNames.maximumBytes
              && column.utf8.first.map { !DecimalText.isDigit($0) } ?? false
            let name = TableNames.unique(
              isName ? column : TableNames.property(column: column), among: &taken, separator: "")
            return Attribute(
              name: name, type: types[entity]?[column] ?? .string,
              userInfo: name == column ? [:] : [TextStoreNames.columnKey: column])
          })
      })
  }
}
