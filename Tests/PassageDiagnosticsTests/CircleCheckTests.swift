import PassageTesting
import TestSupport
import Testing

/// `.ci/check-circles` sees what it says it sees: folders that name each other's types.
@Suite(.enabled(if: Python.isThere)) struct CircleCheckTests {
  /// What folder `A` of a module holds, and what folder `B` does; whether `A` names anything of `B`.
  static let sources: [(String, String, Bool)] = [
    ("struct One { var two: Two }", "struct Two {}", true),
    ("struct One { var two: Module.Two }", "struct Two {}", true),
    ("func one() { _ = [Outer.Two]() }", "struct Outer {}\nextension Outer { enum Two {} }", true),
    ("extension Outer { var one: Two? { nil } }", "struct Outer { struct Two {} }", true),
    (#"let one = "a \(Two()) b""#, "struct Two {}", true),
    (##"let one = #"a \#(Two()) b"#"##, "struct Two {}", true),
    ("struct One: Two {}", "protocol Two {}", true),
    (
      "func one(_ text: String) { text.onlyHere() }", "extension String { func onlyHere() {} }",
      true
    ),
    ("let one = onlyHere()", "func onlyHere() -> Int { 1 }", true),
    // Not named.
    ("// Two\nstruct One {}", "struct Two {}", false),
    ("/* Two /* Two */ Two */ struct One {}", "struct Two {}", false),
    (#"let one = "Two \"Two\" (Two)""#, "struct Two {}", false),
    (##"let one = #"\(Two())"#"##, "struct Two {}", false),
    ("let one = \"\"\"\n  Two \" Two\n  \"\"\"", "struct Two {}", false),
    ("struct One<Two> { var two: Two }", "struct Two {}", false),
    ("struct One { enum Two {}; var two: Two }", "struct Two {}", false),
    ("private struct Two {}\nprivate let one = Two()", "struct Two {}", false),
    (
      "func one(_ text: String) { text.both() }\nextension Int { func both() {} }",
      "extension String { func both() {} }", false
    ),
  ]

  private func check(
    _ files: [String: String], _ arguments: [String] = []
  ) throws -> ChildProgram.Outcome {
    let folder = try TemporaryDirectory()
    for (name, text) in files { try folder.write(text, to: "Module/\(name).swift") }
    return try ChildProgram.run(
      "/bin/sh",
      ["-c", "exec python3 \"$0\" \"$@\"", Repository.file(".ci/check-circles"), "--sources"]
        + [folder.path] + arguments)
  }

  @Test(arguments: sources)
  func `a folder names the types of another that its code uses`(
    a: String, b: String, isNamed: Bool
  ) throws {
    let why = try check(["A/A": a, "B/B": b], ["--why", "Module/A", "Module/B"])
    #expect(why.status == 0, "\(why.errors)")
    #expect(why.output.contains("names 0 of") != isNamed, "\(why.output)")
  }

  @Test func `a circle is reported with the fewest names that open it`() throws {
    let found = try check([
      "A/A": "struct One { var two: Two }", "B/B": "struct Two { var three: Three }",
      "C/C": "struct Three { func one() -> [One] { [] } }\nstruct Four { var two: Two? }",
    ])
    #expect(found.status == 1, "\(found.errors)")
    #expect(found.output.contains("circle 1: 3 folders"))
    let cut = found.output.split(separator: "\n").filter { $0.contains(" -> ") }
    #expect(cut == ["    Module/B -> Module/C: Three"])
  }

  @Test func `folders in layers are no circle`() throws {
    let found = try check([
      "A/A": "struct One { var two: Two }", "B/B": "struct Two { var three: Three }",
      "C": "struct Three {}",
    ])
    #expect(found.status == 0, "\(found.output)\(found.errors)")
    #expect(found.output == "3 folders, 2 arrows, 0 circles\n")
  }
}

private enum Python {
  static let isThere = (try? ChildProgram.shell("python3 --version"))?.status == 0
}
