extension SQLFragment {
  /// How deep the text is for SQLite's parser, whose stack has 100 places
  /// (https://www.sqlite.org/limits.html, "Maximum Depth Of An Expression Tree"; `YYSTACKDEPTH` in its
  /// `parse.y`): three for each parenthesis that is open, four for each CASE.
  package var depth: Int {
    var depth = 0
    var largest = 0
    forEachWord { word in
      switch word {
      case "(": depth += 3
      case ")": depth -= 3
      case "CASE": depth += 4
      case "END": depth -= 4
      default: break
      }
      largest = max(largest, depth)
    }
    return largest
  }

  /// The number of AND and OR in the text, each of which makes the tree of an expression one level higher
  /// where it follows another one.
  package var junctionCount: Int {
    var count = 0
    forEachWord { if $0 == "AND" || $0 == "OR" { count += 1 } }
    return count
  }

  /// Passes the words and the parentheses outside texts and quoted names.
  private func forEachWord(_ body: (String) -> Void) {
    var word: [UInt8] = []
    var quote: UInt8?
    func end() {
      if !word.isEmpty { body(String(decoding: word, as: UTF8.self)) }
      word.removeAll(keepingCapacity: true)
    }
    for byte in sql.utf8 {
      if let open = quote {
        // A doubled quotation mark closes and opens.
        if byte == open { quote = nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        end()
        quote = byte
      case UInt8(ascii: "("):
        end()
        body("(")
      case UInt8(ascii: ")"):
        end()
        body(")")
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        word.append(byte)
      default: end()
      }
    }
    end()
  }
}
