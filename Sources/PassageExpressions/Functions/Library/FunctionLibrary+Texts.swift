import PassageDiagnostics
import PassageValues

extension FunctionLibrary {
  private static let text = ValueFunction.Parameter.type(.string)
  private static let integer = ValueFunction.Parameter.type(.integer)

  /// The function that implements `join:` over a collection: the separator, and the value of a
  /// ``TextList``.
  static let joinedTexts = ValueFunction("joinedTexts:in:", [text, .type(.binary)], .string) {
    { values in
      guard let separator = values[0].string, let bytes = values[1].bytes else { return .null }
      let texts = try TextList.texts(in: bytes)
      return texts.isEmpty ? .null : try TextParts.joined(texts, separator: separator)
    }
  }

  static let texts: [ValueFunction] = [
    ValueFunction(
      "split:separator:index:", [text, text, integer], .string,
      check: TextParts.checkSeparator
    ) {
      { values in
        guard let text = values[0].string, let separator = values[1].string,
          let index = values[2].integer
        else { return .null }
        return try TextParts.part(of: text, separator: separator, index: index)
      }
    },
    ValueFunction("join:", [text, text], .string, isVariadic: true, takesNil: true) {
      { values in
        let parts = values.dropFirst().compactMap(\.string)
        guard let separator = values[0].string, !parts.isEmpty else { return .null }
        return try TextParts.joined(parts, separator: separator)
      }
    },
    joinedTexts,
    ValueFunction("concatenate:", [text, text], .string, isVariadic: true) {
      { values in try TextParts.joined(values.compactMap(\.string), separator: "") }
    },
    ValueFunction("trim:", [text], .string) {
      { values in
        .text(TextParts.trimmed(values[0].string ?? "") { $0.properties.isWhitespace })
      }
    },
    ValueFunction("trim:characters:", [text, text], .string) {
      { values in
        let characters = Set((values[1].string ?? "").unicodeScalars)
        return .text(TextParts.trimmed(values[0].string ?? "") { characters.contains($0) })
      }
    },
    ValueFunction(
      "replace:occurrencesOf:with:", [text, text, text], .string,
      check: TextParts.checkReplaced
    ) {
      { values in
        guard let text = values[0].string, let part = values[1].string, let other = values[2].string
        else { return .null }
        return try TextParts.replacing(part, in: text, with: other)
      }
    },
    ValueFunction(
      "replaceMatches:of:with:", [text, text, text], .string, check: PatternSearch.check
    ) {
      let search = PatternSearch()
      return { values in
        guard let text = values[0].string, let pattern = values[1].string,
          let template = values[2].string
        else { return .null }
        return try search.replacing(pattern, in: text, with: template)
      }
    },
    ValueFunction("firstMatch:of:", [text, text], .string, check: PatternSearch.check) {
      let search = PatternSearch()
      return { values in
        guard let text = values[0].string, let pattern = values[1].string else { return .null }
        return try search.first(pattern, in: text, group: 0)
      }
    },
    ValueFunction(
      "firstMatch:of:group:", [text, text, integer], .string, check: PatternSearch.check
    ) {
      let search = PatternSearch()
      return { values in
        guard let text = values[0].string, let pattern = values[1].string,
          let group = values[2].integer
        else { return .null }
        return try search.first(pattern, in: text, group: group)
      }
    },
    ValueFunction("substring:from:", [text, integer], .string) {
      { values in
        guard let text = values[0].string, let from = values[1].integer else { return .null }
        return .text(TextParts.substring(text, from: from, length: .max))
      }
    },
    ValueFunction("substring:from:length:", [text, integer, integer], .string) {
      { values in
        guard let text = values[0].string, let from = values[1].integer,
          let length = values[2].integer
        else { return .null }
        return .text(TextParts.substring(text, from: from, length: length))
      }
    },
  ]
}
