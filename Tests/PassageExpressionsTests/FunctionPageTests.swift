import Foundation
import PassageExpressions
import PassageValues
import TestSupport
import Testing

/// The examples of the page of functions are what the functions give.
@Suite struct FunctionPageTests {
  static let page: String = {
    let root = URL(filePath: Repository.root)
    let path = root.appending(path: "Sources/Passage/Passage.docc/Functions.md")
    return (try? String(contentsOf: path, encoding: .utf8)) ?? ""
  }()

  /// What stands as `` `call` is `result` `` in the last cell of a row.
  /// The functions that need a store are tried with one.
  static let examples: [(String, String)] = page.components(separatedBy: "\n### ")
    .filter { !$0.hasPrefix("Property lists") }.flatMap { $0.split(separator: "\n") }
    .compactMap { line in
      guard line.hasPrefix("| `"), let cell = line.components(separatedBy: " | ").last else {
        return nil
      }
      let parts = cell.components(separatedBy: "`")
      return parts.count == 5 && parts[2] == " is " ? (parts[1], parts[3]) : nil
    }

  @Test func `the page has an example of every function`() {
    #expect(Self.examples.count > 25)
    let names = FunctionLibrary.standard.selectors.filter {
      let name = String($0.prefix { $0 != ":" })
      return !FunctionLaneTests.hidden.contains(name) && !name.hasSuffix("OrNull")
    }
    let missing = names.filter { !Self.page.contains("| `\($0)` |") }
    #expect(missing == [])
  }

  @Test(arguments: examples)
  func `an example gives what the page says`(_ call: String, _ result: String) throws {
    if result == "YES" || result == "NO" {
      #expect(try Library.holds(call, Library.object()) == (result == "YES"))
      return
    }
    let type = try Binder.expression(FormatParser.expression(call), in: Library.value).type
    let isText = type == .string || type == .null
    let text = isText ? call : "CAST(\(call), 'NSString')"
    let value = try Library.value(text, Library.object())
    #expect(value == (result == "nil" ? .null : .text(result)), "\(call)")
  }
}
