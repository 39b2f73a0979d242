import Foundation
import PassageDiagnostics
import PassageEngine
import TestSupport
import Testing

@testable import PassageCommands

struct ExplainTests {
  private static var page: String {
    get throws {
      try String(
        contentsOf: Repository.url("Sources/Passage/Passage.docc/Errors.md"), encoding: .utf8)
    }
  }

  @Test func `every code of the page is explained, with its class`() throws {
    let rows = try Self.page.split(separator: "\n").filter {
      $0.hasPrefix("| `") && $0.dropFirst(6).first == "-"
    }
    #expect(CodePage.all.count == rows.count && rows.count > 300)
    for page in CodePage.all {
      #expect(!page.meaning.isEmpty && !page.remedy.isEmpty && !page.subject.isEmpty)
      #expect(!(page.meaning + page.remedy).contains { "`|".contains($0) }, "\(page)")
      // Only an error can end a call.
      #expect((page.failureKind != nil) == (page.severity == .error), "\(page.code)")
    }
  }

  @Test func `marks, links and bars are read`() throws {
    let pages = CodePage.pages(
      in: """
        ### Stores

        | Code | Meaning | What to do |
        |---|---|---|
        | `STO-001` | *Warning.* A `name` is *odd*. | See <doc:Stores>. |
        | `STO-002` | One of `a\\|b*`. | Choose. |
        | 64 | `wrongCall` | `CMD` |
        """)
    #expect(pages.map(\.code) == ["STO-001", "STO-002"])
    #expect(pages.map(\.severity) == [.warning, .error])
    #expect(pages[0].meaning == "A name is odd.")
    #expect(pages[0].remedy == "See the page “Stores”.")
    #expect(pages[1].meaning == "One of a|b*.")
    #expect(pages[1].subject == "Stores")
  }

  @Test(arguments: ["MAP-014", "map-014", "error[MAP-014]:", "[MAP-014]"])
  func `a code is found as it is printed`(_ given: String) throws {
    let project = try ExampleProject()
    let outcome = try project.migrate("explain", given)
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("MAP-014  Mapping models\n  means     "), "\(outcome.output)")
    #expect(outcome.output.contains("\n  class     wrongFile, exit status 65\n"))
    let json = try project.migrate("explain", given, "--format", "json").json
    #expect(json["codes"]?[0]?["exitStatus"]?.number == 65)
    #expect(json["codes"]?[0]?["kind"]?.text == "wrongFile")
  }

  @Test func `all codes are listed, and an unknown one is corrected`() throws {
    let project = try ExampleProject()
    let list = try project.migrate("explain")
    #expect(list.output.split(separator: "\n").count == CodePage.all.count)
    let outcome = try project.migrate("explain", "MAP-14")
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("error[CMD-043]: there is no code “MAP-14”"))
    #expect(outcome.errors.contains("did you mean: MAP-0"), "\(outcome.errors)")
  }
}
