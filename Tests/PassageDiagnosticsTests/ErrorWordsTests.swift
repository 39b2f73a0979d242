import Foundation
import PassageDiagnostics
import Testing

/// What an app shows of an error without knowing its type.
@Suite struct ErrorWordsTests {
  private static let note = Diagnostic("MAP-001", "a note", severity: .note)
  private static let error = Diagnostic(
    "MAP-002", "a mistake", reason: "it is one", remedy: "mend it")

  @Test func `a list of diagnostics speaks in the words of its first error`() {
    let list = Diagnostics([Self.note, Self.error, Diagnostic("MAP-003", "another")])
    let shown: any Error = list
    #expect(shown.localizedDescription == "a mistake")
    #expect(list.failureReason == "it is one")
    #expect(list.recoverySuggestion == "mend it")
  }

  @Test func `a list without an error speaks in the words of its first diagnostic`() {
    #expect(Diagnostics([Self.note]).errorDescription == "a note")
    #expect(Diagnostics().errorDescription == nil)
  }

  @Test func `a list is a collection in the order things were found`() {
    let list = Diagnostics([Self.note, Self.error])
    #expect(list.count == 2)
    #expect(list.map(\.code) == ["MAP-001", "MAP-002"])
    #expect(list.last == Self.error)
    #expect(Array(list.reversed()) == [Self.error, Self.note])
    #expect(Diagnostics().isEmpty)
  }

  @Test func `a list that was encoded is the same when it is decoded`() throws {
    let list = Diagnostics([
      Self.note, Diagnostic("MAP-002", "a", at: SourceLocation(file: "f", line: 1, column: 2)),
    ])
    let bytes = try JSONEncoder().encode(list)
    #expect(try JSONDecoder().decode(Diagnostics.self, from: bytes) == list)
  }
}
