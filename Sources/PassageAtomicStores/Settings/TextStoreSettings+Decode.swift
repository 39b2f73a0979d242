package import PassageDiagnostics
internal import PassageFiles
internal import PassageModels
internal import PassagePlatform
internal import PassageStores

extension TextStoreSettings {
  package static let members = [
    "type", "encoding", "byteOrderMark", "lineEnding", "separator", "quote", "quoting", "header",
    "columns", "entities", "entity", "entityColumn", "identifierColumn", "ignored", "nullText",
    "listSeparator", "dates", "trueText", "falseText", "binary", "types",
  ]
  package static let entityMembers = ["columns"]
  /// The members that say nothing about JSON lines, which name each value and have one syntax.
  private static let membersOfOtherKinds = [
    "separator", "quote", "quoting", "header", "columns", "entities", "nullText", "listSeparator",
  ]

  private static let code = "ATM-017"
  /// The largest settings file in bytes.
  private static let maximumBytes = 1 << 20

  /// Reads the settings beside a file; `nil` if there are none.
  ///
  /// - Throws: `MAP-001` for a text that is not JSON, `ATM-017` with every mistake, `MOD-133` where the system
  ///   failed.
  package static func beside(_ file: String) throws(Diagnostics) -> TextStoreSettings? {
    let path = path(of: file)
    let files = FileSystem()
    var reason = "they must be a readable file of at most \(maximumBytes) bytes"
    var bytes: [UInt8]?
    do {
      guard try files.exists(path) else { return nil }
      bytes = files.contents(path, limit: maximumBytes)
    } catch {
      reason = "\(error)"
    }
    guard let bytes else {
      do throws(FileSystem.Failure) {
        _ = try FileSystem.prefix(path, count: 1)
      } catch {
        if let diagnostic = error.systemDiagnostic { throw Diagnostics([diagnostic]) }
      }
      throw Diagnostics([
        Diagnostic(
          code, "the settings cannot be read", at: SourceLocation(file: path), reason: reason)
      ])
    }
    return try decode(bytes, file: path)
  }

  /// Parses settings.
  ///
  /// - Parameters:
  ///   - bytes: the JSON.
  ///   - file: the file name used in locations.
  /// - Throws: `MAP-001` for a text that is not JSON, `ATM-017` with every mistake.
  package static func decode(_ bytes: [UInt8], file: String) throws(Diagnostics)
    -> TextStoreSettings
  {
    let root: JSONNode
    do throws(Diagnostic) {
      root = try JSONParser.parse(bytes, file: file)
    } catch {
      throw Diagnostics([error])
    }
    var decoding = JSONDecoding(code: code)
    let settings = settings(root, &decoding)
    try decoding.diagnostics.throwIfErrors()
    guard let settings else { throw decoding.diagnostics }
    return settings
  }

  private static func settings(
    _ root: JSONNode, _ decoding: inout JSONDecoding
  ) -> TextStoreSettings? {
    guard
      let found = decoding.members(
        of: root, "the settings file", known: members, required: ["type"]),
      let kind = decoding.word(found["type"], "“type”", as: Kind.self)
    else { return nil }
    var settings = TextStoreSettings(kind: kind)
    func set<Value>(_ value: Value?, _ path: WritableKeyPath<TextStoreSettings, Value>) {
      if let value { settings[keyPath: path] = value }
    }
    settings.encoding = decoding.word(found["encoding"], "“encoding”", as: TextEncoding.self)
    set(decoding.bool(found["byteOrderMark"], "“byteOrderMark”"), \.writesByteOrderMark)
    set(decoding.word(found["lineEnding"], "“lineEnding”", as: LineEnding.self), \.lineEnding)
    set(character(found["separator"], "“separator”", &decoding), \.separator)
    set(character(found["quote"], "“quote”", &decoding), \.quote)
    set(decoding.word(found["quoting"], "“quoting”", as: Quoting.self), \.quoting)
    set(decoding.bool(found["header"], "“header”"), \.hasHeader)
    settings.columns = decoding.strings(found["columns"], "“columns”")
    settings.columnsOfEntities = entities(found["entities"], &decoding)
    settings.entityName = decoding.string(found["entity"], "“entity”")
    settings.entityColumn = decoding.string(found["entityColumn"], "“entityColumn”")
    settings.identifierColumn = decoding.string(found["identifierColumn"], "“identifierColumn”")
    settings.ignored = decoding.strings(found["ignored"], "“ignored”")
    set(decoding.string(found["nullText"], "“nullText”"), \.nullText)
    set(character(found["listSeparator"], "“listSeparator”", &decoding), \.listSeparator)
    set(decoding.word(found["dates"], "“dates”", as: TextStyle.Dates.self), \.style.dates)
    set(decoding.string(found["trueText"], "“trueText”"), \.style.trueText)
    set(decoding.string(found["falseText"], "“falseText”"), \.style.falseText)
    set(decoding.word(found["binary"], "“binary”", as: TextStyle.Binary.self), \.style.binary)
    settings.types = types(found["types"], &decoding)
    check(settings, root, found, &decoding)
    return settings
  }

  private static func entities(
    _ node: JSONNode?, _ decoding: inout JSONDecoding
  ) -> [String: [String]] {
    guard let node else { return [:] }
    guard case .object(let members) = node.kind else {
      decoding.mismatch(node, "“entities”", expected: "an object")
      return [:]
    }
    var columns: [String: [String]] = [:]
    for member in members {
      let what = "the entity “\(member.name)”"
      guard
        let found = decoding.members(
          of: member.value, what, known: entityMembers, required: entityMembers)
      else { continue }
      columns[member.name] = decoding.strings(found["columns"], "“columns”")
    }
    return columns
  }

  /// The types by entity and column.
  private static func types(
    _ node: JSONNode?, _ decoding: inout JSONDecoding
  ) -> [String: [String: AttributeType]] {
    var types: [String: [String: AttributeType]] = [:]
    for entity in objectMembers(node, "“types”", &decoding) {
      for column in objectMembers(entity.value, "the types of “\(entity.name)”", &decoding) {
        guard let name = decoding.string(column.value, "the type of “\(column.name)”") else {
          continue
        }
        if let type = AttributeType(name: name), AttributeText.canHold(type) {
          types[entity.name, default: [:]][column.name] = type
        } else {
          let known = AttributeType.allCases.filter(AttributeText.canHold).map(\.name)
          decoding.report(
            Diagnostic(
              code, "“\(name)” is not a type of attribute", at: column.value.location,
              remedy: "use one of: \(known.joined(separator: ", "))"))
        }
      }
    }
    return types
  }

  private static func objectMembers(
    _ node: JSONNode?, _ what: String, _ decoding: inout JSONDecoding
  ) -> [JSONNode.Member] {
    guard let node else { return [] }
    guard case .object(let members) = node.kind else {
      decoding.mismatch(node, what, expected: "an object")
      return []
    }
    return members
  }

  /// One ASCII character that is neither a line ending nor an escape character.
  private static func character(
    _ node: JSONNode?, _ what: String, _ decoding: inout JSONDecoding
  ) -> UInt8? {
    guard let node, let text = decoding.string(node, what) else { return nil }
    guard text.utf8.count == 1, let byte = text.utf8.first, byte < 0x80,
      !["\n", "\r", "\\", "\0"].contains(text)
    else {
      decoding.mistake(
        node, what, expected: "one ASCII character other than a line ending or backslash")
      return nil
    }
    return byte
  }

  /// Checks rules that concern several members.
  private static func check(
    _ settings: TextStoreSettings, _ root: JSONNode, _ found: [String: JSONNode],
    _ decoding: inout JSONDecoding
  ) {
    func report(_ message: String, _ member: String) {
      decoding.report(Diagnostic(code, message, at: found[member]?.location ?? root.location))
    }
    if settings.separator == settings.quote, settings.kind == .delimited, settings.quoting != .none
    {
      report("the separator and the quote are the same character", "separator")
    }
    // In keyed records a backslash before these letters is a line ending.
    if settings.kind == .keyed,
      [UInt8(ascii: "n"), UInt8(ascii: "r")].contains(settings.separator)
    {
      report("the separator of keyed records cannot be “n” or “r”", "separator")
    }
    if settings.kind == .delimited, !settings.canHoldNullText {
      report("“nullText” contains the separator, the quote or a line ending", "nullText")
    }
    for column in settings.ignored
    where column == settings.identifierColumn || column == settings.entityColumn {
      report("“ignored” names “\(column)”, the column of the entity or identifier", "ignored")
    }
    for member in membersOfOtherKinds where settings.kind == .jsonLines && found[member] != nil {
      report("“\(member)” has no meaning for JSON lines", member)
    }
    let positional = Array(settings.columnsOfEntities.values) + [settings.columns]
    if settings.kind == .delimited, !settings.hasHeader, positional.allSatisfy(\.isEmpty) {
      report("without a header, the columns must be named in “columns” or “entities”", "header")
    }
    if settings.hasHeader, positional.contains(where: { !$0.isEmpty }) {
      report(
        "the columns cannot be named both in the header and in “columns” or “entities”", "columns")
    }
    for list in positional where Set(list).count < list.count {
      let isSame = Set(list.map { ExactText($0) }).count < list.count
      report(
        isSame
          ? "a column occurs twice" : "two columns differ only in their Unicode normalization",
        "columns")
    }
    if !settings.hasHeader, !settings.columnsOfEntities.isEmpty, settings.kind == .delimited {
      let places = Set(
        settings.columnsOfEntities.values.map { list in
          settings.entityColumn.flatMap { list.firstIndex(of: $0) }
        })
      if settings.entityColumn == nil || places.count != 1 || places.contains(nil) {
        report("the entity column must have the same position for all entities", "entities")
      }
    }
    if settings.style.trueText.hasBytes(of: settings.style.falseText) {
      report("true and false have the same text", "trueText")
    }
    if settings.entityName != nil, settings.entityColumn != nil {
      report("“entity” and “entityColumn” are both given", "entity")
    }
  }

  /// Whether the text for nil, which is never quoted, is one field.
  private var canHoldNullText: Bool {
    !nullText.utf8.contains { byte in
      byte == separator || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
        || (quoting != .none && byte == quote)
    }
  }
}
