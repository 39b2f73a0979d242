internal import PassageAtomicStores
internal import PassageDiagnostics
internal import PassageExpressions
internal import PassagePlatform
internal import PassageStores

extension XcodeMappingDecoder {
  /// A text; `nil` if it is missing or empty. Reports `IMP-005` for a value of another type.
  mutating func text(_ name: String, of object: XMLStoreObject) -> String? {
    guard let attribute = value(name, of: object, as: ["string"]) else { return nil }
    return attribute.text.isEmpty ? nil : XMLStoreText.decode(attribute.text)
  }

  mutating func located(_ name: String, of object: XMLStoreObject) -> Located<String>? {
    text(name, of: object).map { text in
      var place = object.attributes[name]?.location ?? object.location
      // The location is that of the element, not of the text.
      place.column = nil
      return Located(text, at: place)
    }
  }

  /// An integer; `nil` if there is none. Reports `IMP-005` for anything else.
  mutating func whole(_ name: String, of object: XMLStoreObject) -> Int? {
    guard let attribute = value(name, of: object, as: ["int16", "int32", "int64"]) else {
      return nil
    }
    if let number = Int16(attribute.text) { return Int(number) }
    reportValue(name, attribute, expected: "a whole number of 16 bits")
    return nil
  }

  /// A flag; `nil` if there is none. Reports `IMP-005` for anything but `1` and `0`.
  mutating func flag(_ name: String, of object: XMLStoreObject) -> Bool? {
    guard let attribute = value(name, of: object, as: ["bool"]) else { return nil }
    switch attribute.text {
    case "1": return true
    case "0": return false
    default:
      reportValue(name, attribute, expected: "1 or 0")
      return nil
    }
  }

  /// Bytes, written in Base-64 with line breaks; `nil` if there are none. Reports `IMP-005` for
  /// anything else.
  mutating func bytes(_ name: String, of object: XMLStoreObject) -> [UInt8]? {
    guard let attribute = value(name, of: object, as: ["binary"]) else { return nil }
    let characters = attribute.text.utf8.filter { !" \t\r\n".utf8.contains($0) }
    guard !characters.isEmpty else { return nil }
    if let data = Data(base64Encoded: Data(characters)) { return Array(data) }
    reportValue(name, attribute, expected: "base64")
    return nil
  }

  private mutating func value(
    _ name: String, of object: XMLStoreObject, as types: [String]
  ) -> XMLStoreObject.Attribute? {
    guard let attribute = object.attributes[name] else { return nil }
    guard types.contains(attribute.type) else {
      report(
        Diagnostic(
          "IMP-005", "“\(name)” is of type “\(attribute.type)”, not \(types[0])",
          at: attribute.location))
      return nil
    }
    return attribute
  }

  private mutating func reportValue(
    _ name: String, _ attribute: XMLStoreObject.Attribute, expected: String
  ) {
    report(
      Diagnostic("IMP-005", "the value of “\(name)” is not \(expected)", at: attribute.location))
  }

  // MARK: Archives

  /// The archived expression; `nil`, with `IMP-006`, if it cannot be read.
  mutating func expression(
    _ archive: [UInt8], at place: SourceLocation
  ) -> ValueExpression? {
    do throws(KeyedArchiveError) {
      let archive = try KeyedArchive(archive)
      var decoder = ArchivedExpressionDecoder(
        KeyedUnarchiver(archive, maximumSteps: remainingSteps))
      defer { remainingSteps = decoder.archive.remainingSteps }
      return try decoder.expression(archive.root())
    } catch {
      reportArchive("the expression", error, at: place)
      return nil
    }
  }

  /// The user info: texts by name.
  mutating func userInfo(of object: XMLStoreObject) -> [String: String] {
    guard let bytes = bytes("userinfodata", of: object) else { return [:] }
    let place = object.attributes["userinfodata"]?.location ?? object.location
    do throws(KeyedArchiveError) {
      let archive = try KeyedArchive(bytes)
      var unarchiver = KeyedUnarchiver(archive, maximumSteps: remainingSteps)
      defer { remainingSteps = unarchiver.remainingSteps }
      let (texts, others) = try unarchiver.texts(of: archive.root())
      for name in others { report(ForeignMapping.userInfoLeftOut(name, at: place)) }
      return texts
    } catch {
      reportArchive("the user info", error, at: place)
      return [:]
    }
  }

  private mutating func reportArchive(
    _ what: String, _ error: KeyedArchiveError, at place: SourceLocation
  ) {
    report(
      Diagnostic(
        "IMP-006", "\(what) cannot be read", at: place, reason: "\(error)",
        remedy: "save the mapping model again with Xcode"))
  }
}

extension KeyedUnarchiver {
  /// The texts of a dictionary by name, and the names of values that are not texts.
  mutating func texts(
    of dictionary: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> (texts: [String: String], others: [String]) {
    var texts: [String: String] = [:]
    var others: [String] = []
    for entry in try entries(of: dictionary) {
      guard let name = try string(entry.key) else { continue }
      if let text = try string(entry.value) { texts[name] = text } else { others.append(name) }
    }
    return (texts, others.sorted())
  }
}

extension ForeignMapping {
  /// The remark that an entry of a user info dictionary is left out.
  static func userInfoLeftOut(_ name: String, at place: SourceLocation) -> Diagnostic {
    Diagnostic(
      "IMP-027", "the user info “\(name)” is not a text and is left out", severity: .warning,
      at: place
    )
  }
}
