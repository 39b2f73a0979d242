internal import PassagePlatform

extension String {
  /// The text in double quotation marks, as YAML and Python both read it.
  var literal: String { quoted { $0 < 0x100 ? Self.escape("x", $0, 2) : Self.escape("u", $0, 4) } }

  /// The text in double quotation marks as an element of `command:` of Kubernetes, which replaces
  /// `$(NAME)` by a variable of the environment and reads `$$` as `$`.
  var podLiteral: String {
    var text = ""
    var followsDollar = false
    for scalar in unicodeScalars {
      if followsDollar, scalar == "$" || scalar == "(" { text += "$" }
      text.unicodeScalars.append(scalar)
      followsDollar = scalar == "$"
    }
    return text.literal
  }

  /// The text as a word of `ExecStart` in a unit of systemd, in which `%` and `$` begin names of values.
  var unitQuoted: String { unitProgram.replacingScalar("$", with: "$$") }

  /// The text as the program of `ExecStart`, the first word, where systemd replaces no variables and reads
  /// `$$` as two.
  var unitProgram: String {
    quoted { $0 < 0x80 ? Self.escape("x", $0, 2) : Self.escape("u", $0, 4) }
      .replacingScalar("%", with: "%%")
  }

  /// The text as a path in a unit of systemd, which knows no quotation marks there.
  var unitPath: String { replacingScalar("%", with: "%%") }

  /// Whether the text means itself in a shell and in a unit, without quotation marks.
  var isPlainWord: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-_./,".utf8.contains(byte)
      }
  }

  /// Whether the text has a character that would end a line, or cannot be seen in a file.
  var hasControl: Bool { unicodeScalars.contains(where: Self.isControl) }

  private func quoted(escape: (UInt32) -> String) -> String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      default: text += Self.isControl(scalar) ? escape(scalar.value) : String(scalar)
      }
    }
    return text + "\""
  }

  /// Whether a character would end a line, or cannot be seen in a file.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: true
    default: false
    }
  }

  private static func escape(_ kind: String, _ value: UInt32, _ digits: Int) -> String {
    let text = String(value, radix: 16)
    return "\\\(kind)\(String(repeating: "0", count: Swift.max(0, digits - text.count)))\(text)"
  }
}
