import PassageTesting
import TestSupport
import Testing

@testable import PassageCommands

/// Paths in messages are those that a person gave from the working directory.
struct ShownPathTests {
  @Test(
    arguments: [
      ("/srv/ann/App.sqlite", "App.sqlite"),
      ("run: migrate --store '/srv/ann/My App.sqlite'", "run: migrate --store 'My App.sqlite'"),
      ("work is in /srv/ann/a.passage, and “/srv/ann/b”", "work is in a.passage, and “b”"),
      ("--output=/srv/ann/-x", "--output=./-x"),
      // Other folders, and the folder itself.
      ("/srv/anna/App.sqlite", "/srv/anna/App.sqlite"),
      ("/mnt/srv/ann/App.sqlite", "/mnt/srv/ann/App.sqlite"),
      ("about 5 bytes in /srv/ann are free", "about 5 bytes in /srv/ann are free"),
      ("/srv/ann/", "/srv/ann/"), ("no path", "no path"), ("", ""),
    ])
  func `a path below the working directory is shown from there`(text: String, shown: String) {
    #expect(PathText.shown(text, from: "/srv/ann") == shown)
    #expect(PathText.shown(text, from: "/") == text)
  }

  @Test func `the kept store and a damaged store are named as the call named them`() throws {
    let project = try ExampleProject()
    let made = try project.migrate("--in-place")
    #expect(made.status == 0)
    let line = "  old store \(ExampleProject.sample).before-1\n"
    #expect(made.output.contains(line), "\(made.output)")
    try project.folder.write(Array("no store".utf8), to: ExampleProject.sample)
    let outcome = try project.migrate("--in-place")
    #expect(outcome.status != 0)
    #expect(outcome.errors.contains("--> \(ExampleProject.sample)"), "\(outcome.errors)")
    #expect(!outcome.errors.contains(project.folder.path), "\(outcome.errors)")
  }
}
