package import PassageDiagnostics

/// The path to a value inside JSON or a property list: `address.lines[0]`, `[2].name`, or
/// `["a name with . or ["]`. The empty path is the whole value.
package struct ValuePath: Sendable, Hashable {
  /// A step of the path.
  package enum Step: Sendable, Hashable {
    /// The member of an object or dictionary with this name.
    case name(String)
    /// The element of a list at an index from 0, or from -1 backwards from the end.
    case index(Int)
  }

  /// The steps from the outside inwards; at most 64.
  package let steps: [Step]

  /// Parses a path.
  ///
  /// - Throws: `PRE-044` for a text that is not a path.
  package init(_ text: String) throws(Diagnostic) {
    var reader = Reader(scalars: Array(text.unicodeScalars))
    steps = try reader.steps()
  }

  /// The position in a list with `count` elements; `nil` if it does not exist.
  package static func position(_ index: Int, in count: Int) -> Int? {
    let (position, overflow) =
      index < 0 ? index.addingReportingOverflow(count) : (index, false)
    return !overflow && (0..<count).contains(position) ? position : nil
  }

  private struct Reader {
    let scalars: [Unicode.Scalar]
    var position = 0

    mutating func steps() throws(Diagnostic) -> [Step] {
      var steps: [Step] = []
      while position < scalars.count {
        guard steps.count < 64 else { throw failure("it has more than 64 steps") }
        if scalars[position] == "[" {
          steps.append(try bracket())
          continue
        }
        if scalars[position] == "." {
          guard !steps.isEmpty else { throw failure("a name is expected before the point") }
          position += 1
        } else if !steps.isEmpty {
          throw failure("a point or a bracket is expected")
        }
        let start = position
        while position < scalars.count, scalars[position] != ".", scalars[position] != "[" {
          position += 1
        }
        guard position > start else { throw failure("a name is expected") }
        steps.append(.name(text(start..<position)))
      }
      return steps
    }

    private mutating func bracket() throws(Diagnostic) -> Step {
      position += 1
      guard position < scalars.count else { throw failure("a bracket is not closed") }
      let quote = scalars[position]
      if quote == "\"" || quote == "'" {
        position += 1
        let start = position
        while position < scalars.count, scalars[position] != quote { position += 1 }
        let name = text(start..<position)
        position += 1
        try close()
        return .name(name)
      }
      let start = position
      while position < scalars.count, scalars[position] != "]" { position += 1 }
      guard let index = Int(text(start..<position)) else {
        throw failure("a whole number or a name in quotation marks is expected in brackets")
      }
      try close()
      return .index(index)
    }

    private mutating func close() throws(Diagnostic) {
      guard position < scalars.count, scalars[position] == "]" else {
        throw failure("a bracket is not closed")
      }
      position += 1
    }

    private func text(_ range: Range<Int>) -> String {
      String(String.UnicodeScalarView(scalars[range]))
    }

    private func failure(_ reason: String) -> Diagnostic {
      Diagnostic(
        FunctionCode.badArgument,
        "“\(String(String.UnicodeScalarView(scalars.prefix(200))))” is not a path",
        reason: "\(reason), after \(position) characters",
        remedy: "write it as in “address.lines[0]”")
    }
  }
}
