import Foundation
import Passage
import PassageEngine
import PassageTesting
import TestSupport
import Testing

/// What the page of predicates writes parses, and what it says its examples take is what they take.
@Suite struct PredicatesPageTests {
  static let page: String = {
    let root = URL(filePath: Repository.root)
    let path = root.appending(path: "Sources/Passage/Passage.docc/Predicates.md")
    return (try? String(contentsOf: path, encoding: .utf8)) ?? ""
  }()

  /// Rows of the tables whose first column has this title, cell by cell.
  static func rows(_ title: String) -> [[String]] {
    var rows: [[String]] = []
    var isInside = false
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix("|") else {
        isInside = false
        continue
      }
      let cells = line.replacing("\\|", with: "\u{1}").dropFirst().dropLast()
        .split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces).replacing("\u{1}", with: "|") }
      if cells.first == title {
        isInside = true
      } else if isInside, cells.first?.hasPrefix("---") == false {
        rows.append(cells)
      }
    }
    return rows
  }

  /// What is between backquotes.
  static func spans(_ cell: String) -> [String] {
    let parts = cell.components(separatedBy: "`")
    return parts.indices.filter { $0 % 2 == 1 }.map { parts[$0] }
  }

  // MARK: Grammar

  /// What the tables of the language write, but for words and names of functions.
  static let forms = ["Written", "Condition"].flatMap { rows($0).flatMap { spans($0[0]) } }.filter {
    !["SOME", "ALL", "NONE"].contains($0)
  }

  @Test func `the page has tables of forms`() { #expect(Self.forms.count > 90) }

  @Test(arguments: forms)
  func `a form parses and prints back`(_ text: String) throws {
    if let predicate = try? FormatParser.predicate(text) {
      #expect(try FormatParser.predicate(predicate.description) == predicate)
    } else {
      let expression = try FormatParser.expression(text)
      #expect(try FormatParser.expression(expression.description) == expression)
    }
  }

  /// Names of functions: with as many values as their colons say, they are known.
  static let selectors = rows("Written").flatMap { $0.count > 2 ? spans($0[1]) : [] }
    .filter { !$0.contains(" ") && !$0.hasPrefix("@") }

  @Test(arguments: selectors)
  func `a function on the page is known`(_ text: String) throws {
    let selector = String(text.prefix { $0 != "(" })
    let count = selector.filter { $0 == ":" }.count
    let arguments =
      text.contains("(")
      ? ""
      : "("
        + Array(repeating: "{1, 2}", count: count)
        .joined(separator: ", ") + ")"
    let scope = BindingScope.filter(model: Self.model, entity: Self.model.entities[1])
    do throws(Diagnostics) {
      _ = try Binder.expression(
        FormatParser.expression(text.contains("(") ? text : selector + arguments), in: scope)
    } catch {
      #expect(error.all.allSatisfy { $0.code != "PRE-015" && $0.code != "PRE-016" }, "\(error)")
    }
  }

  @Test func `the blocks of text and JSON parse`() throws {
    let lines = Self.page.split(separator: "\n")
    let filters = lines.filter { $0.hasPrefix("filter ") }.map { $0.dropFirst("filter ".count) }
    let values = lines.filter { $0.hasPrefix("value ") }.map { $0.dropFirst("value ".count) }
    #expect(filters.count == 1 && values.count == 1)
    for text in filters { _ = try FormatParser.predicate(String(text)) }
    for text in values { _ = try FormatParser.expression(String(text)) }
    let json = Self.page.components(separatedBy: "```json\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
    #expect(json.count == 1)
    for members in json {
      let text = """
        {"name": "M", "source": "1", "destination": "2", \(members),
         "entityMappings": [{"type": "copy", "source": "Book", "destination": "Book",
           "filter": "printed > $SINCE AND author.name IN $NAMES"},
          {"type": "copy", "source": "Person", "destination": "Person"}]}
        """
      let mapping = try MappingDocument.decode(Array(text.utf8), file: "M.json")
      #expect(mapping.entityMappings.count == 2)
    }
  }

  /// Every page with its filters and calls: `"filter": "…"`, `--filter "…"` and `` `name(…)` ``.
  static let pages: [String] = {
    let root = URL(filePath: Repository.root)
    let folder = root.appending(path: "Sources/Passage/Passage.docc")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return ([root.appending(path: "README.md")] + names.sorted().map { folder.appending(path: $0) })
      .compactMap { try? String(contentsOf: $0, encoding: .utf8) }
  }()

  static let filters: [String] = pages.flatMap { page in
    let inJSON = page.matches(of: /"filter": ("(?:[^"\\]|\\.)*")/).map { match in
      (try? JSONDecoder().decode(String.self, from: Data(match.output.1.utf8))) ?? "no JSON"
    }
    let inShell = page.matches(of: /--filter (?:"([^"]+)"|'([^']+)')/).map { match in
      String(match.output.1 ?? match.output.2 ?? "")
    }
    return inJSON + inShell
  }

  @Test(arguments: filters)
  func `a filter of any page parses`(_ text: String) throws {
    _ = try FormatParser.predicate(text)
  }

  static let calls: [String] = pages.flatMap { page in
    page.matches(of: /`([a-z][A-Za-z]*\([^`]*\))`/).map { String($0.output.1) }
  }.filter { $0.contains("$source") || $0.contains("'") }

  @Test(arguments: calls)
  func `a call of any page parses`(_ text: String) throws {
    if (try? FormatParser.predicate(text)) == nil { _ = try FormatParser.expression(text) }
  }

  @Test func `the pages hold filters and calls`() {
    #expect(Self.filters.count > 2)
    #expect(Self.calls.count > 25)
  }

  // MARK: Examples

  static let model = Model(
    "1",
    [
      Entity(
        "Person", [.text("name"), .number("age")],
        [
          .many("books", "Book", inverse: "author"), .many("read", "Book", inverse: "readers"),
        ]),
      Entity(
        "Book",
        [
          .text("title"), .number("pages"), .real("price"), .date("printed"),
          Attribute(name: "isLent", type: .boolean),
        ],
        [.one("author", "Person", inverse: "books"), .many("readers", "Person", inverse: "read")]),
    ])

  /// A cell of a table of objects.
  private static func value(_ text: String, _ type: AttributeType) -> Value {
    switch type {
    case _ where text.isEmpty: return .null
    case .string: return .text(text)
    case .boolean: return Value(text == "YES")
    case .integer64: return Int64(text).map { .integer($0) } ?? .null
    case .date:
      guard case .date(let date)? = PredicateArgument.date(text) else { return .null }
      return .real(date.timeIntervalSinceReferenceDate)
    default: return Double(text).map { .real($0) } ?? .null
    }
  }

  /// A store of the objects that the page lists.
  static func store() throws -> (TemporaryDirectory, String) {
    let directory = try TemporaryDirectory()
    let path = directory.path("books.sqlite")
    let store = try TestStore(model: model, at: path)
    for name in ["Person", "Book"] {
      let entity = try #require(model.entity(named: name))
      let titles = try #require(
        page.split(separator: "\n").first { $0.hasPrefix("| \(name) |") }
      ).split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      for row in rows(name) {
        var attributes: [String: Value] = [:]
        var related: [String: [ObjectReference]] = [:]
        for (title, cell) in zip(titles, row).dropFirst() {
          if let attribute = model.attribute(title, of: entity) {
            attributes[title] = value(cell, attribute.type)
          } else if !cell.isEmpty {
            related[title] = cell.split(separator: ", ").compactMap { Int64($0) }
              .map { ObjectReference(entityName: "Person", key: $0) }
          }
        }
        try store.insert(name, attributes, related, key: Int64(row[0]))
      }
    }
    try store.close()
    return (directory, path)
  }

  static let examples = rows("Filter").map { row in
    (spans(row[0]).first ?? "", row[1].split(separator: ", ").compactMap { Int64($0) })
  }

  @Test(arguments: [false, true])
  func `a filter takes the books that the page says`(isInMemory: Bool) throws {
    #expect(Self.examples.count > 60)
    let (directory, path) = try Self.store()
    let opened = try StoreFile.open(path: path)
    var options = StoreSelection.Options()
    options.isInMemory = isInMemory
    func keys(_ filter: String) throws -> [Int64] {
      var keys: [Int64] = []
      try StoreSelection(
        of: opened, model: Self.model, entity: "Book", filter: filter, now: 0, options: options
      ).forEachKey { keys.append($0) }
      return keys
    }
    for (filter, expected) in Self.examples {
      #expect(try keys(filter) == expected, "\(filter)")
      #expect(
        try (keys(filter) + keys("NOT (\(filter))")).sorted() == [1, 2, 3, 4, 5, 6], "\(filter)")
    }
    _ = directory
  }
}
