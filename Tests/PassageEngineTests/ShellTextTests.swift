import PassageEngine
import Testing

/// Options in commands that messages print.
@Suite struct ShellTextTests {
  @Test(arguments: [
    ("2", "--to 2"), ("Notes 3", "--to 'Notes 3'"), ("-1", "--to=-1"), ("-1 b", "'--to=-1 b'"),
    ("", "--to ''"),
  ])
  func `a value is quoted, and joined to its option where it would be read as one`(
    _ value: String, _ printed: String
  ) {
    #expect(ShellText.option("--to", value) == printed)
  }
}
