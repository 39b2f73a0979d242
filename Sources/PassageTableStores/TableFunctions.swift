internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// The functions with which SQL converts the cells of plain tables to values of objects, and back.
/// In plain tables dates are text in ISO 8601, or seconds since 1970.
enum TableFunctions {
  static let readDate = "passage_date"
  static let writeDate = "passage_date_text"
  static let readUUID = "passage_uuid"
  static let pack = "passage_pack"
  static let unpack = "passage_unpack"
  /// Returns the contents of the external file of a cell; NULL for any other cell.
  static let fileBytes = "passage_file_bytes"
  static let writeUUID = "passage_uuid_text"

  /// Registers the functions on a connection.
  static func register(on connection: Connection) throws(SQLiteError) {
    try connection.register(
      SQLFunction(name: readDate, argumentCount: 1) { arguments in
        guard let value = arguments.first else { return .null }
        if let text = value.string { return DateText.seconds(text).map { .real($0) } ?? .null }
        guard let number = value.double, number.isFinite else { return .null }
        return .real(number - DateText.reference)
      })
    try connection.register(
      SQLFunction(name: writeDate, argumentCount: 1) { arguments in
        // A value that is not a date was refused before. A date outside the calendar is a number, as it is
        // read.
        guard let seconds = arguments.first?.double else { return arguments.first ?? .null }
        return DateText.text(seconds).map { .text($0) } ?? .real(seconds + DateText.reference)
      })
    try connection.register(
      SQLFunction(name: readUUID, argumentCount: 1) { arguments in
        guard let text = arguments.first?.string else { return .null }
        return UUIDText.bytes(text).map { .blob($0) } ?? .null
      })
    // If external storage is allowed, a value stored in the column has a byte 1 before it.
    try connection.register(
      SQLFunction(name: pack, argumentCount: 1) { arguments in
        arguments.first?.bytes.map { .blob([1] + $0) } ?? .null
      })
    try connection.register(
      SQLFunction(name: writeUUID, argumentCount: 1) { arguments in
        arguments.first?.bytes.flatMap(UUIDText.text).map { .text($0) } ?? arguments.first ?? .null
      })
  }

  /// Registers the function that returns the actual value of a cell for which external storage is
  /// allowed.
  static func register(
    unpackingFrom folder: ExternalFolder, on connection: Connection
  ) throws(SQLiteError) {
    try connection.register(
      SQLFunction(name: unpack, argumentCount: 1, isDeterministic: false) { arguments in
        guard let bytes = arguments.first?.bytes else { return arguments.first ?? .null }
        return try folder.value(ofCell: bytes)
      })
    try connection.register(
      SQLFunction(name: fileBytes, argumentCount: 1, isDeterministic: false) { arguments in
        guard let bytes = arguments.first?.bytes, let file = try folder.file(ofCell: bytes) else {
          return .null
        }
        return .integer(Int64(file.byteCount))
      })
  }
}
