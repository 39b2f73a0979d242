import Foundation
import PassageDiagnostics
import PassageEngine
import PassageFiles
import PassageFleets
import PassageTesting
import TestSupport
import Testing

@Suite struct RemoteJobTests {
  let shelf: ObjectShelf

  init() throws {
    shelf = try ObjectShelf()
    try shelf.put("a.sqlite")
  }

  private func script(_ name: String, _ text: String) throws -> TransferCommands {
    try shelf.script(name, text)
    return try shelf.commands()
  }

  @Test func `a store is fetched, migrated and published, and the scratch folder is empty`() throws
  {
    let report = try shelf.run("a.sqlite", shelf.commands())
    #expect(report.outcome == .migrated)
    #expect(try shelf.version("a.sqlite") == "2")
    #expect(
      shelf.calls == ["look a.sqlite", "get a.sqlite", "put a.sqlite", "look a.sqlite"])
    #expect(shelf.scratchNames == [])
  }

  @Test func `a store that was published at the version is not fetched again`() throws {
    _ = try shelf.run("a.sqlite", shelf.commands())
    let before = shelf.calls.count
    #expect(try shelf.run("a.sqlite", shelf.commands()).outcome == .upToDate)
    #expect(shelf.calls[before...] == ["look a.sqlite"])
  }

  @Test func `where the version is not told, a store that has it is fetched and not published`()
    throws
  {
    let commands = try shelf.commands(
      publish: "sh \(shelf.directory.path("client"))/put {name} {path} {mark}")
    #expect(try shelf.run("a.sqlite", commands).outcome == .migrated)
    let before = shelf.calls.count
    #expect(try shelf.run("a.sqlite", commands).outcome == .upToDate)
    #expect(shelf.calls[before...] == ["look a.sqlite", "get a.sqlite"])
  }

  @Test func `what was changed since it was fetched is not replaced`() throws {
    let commands = try script(
      "get", #"cp "$S/objects/$1" "$2"; cp "$S/objects/b.sqlite" "$S/objects/$1""#)
    try shelf.put("b.sqlite", notes: 5)
    let other = shelf.directory.contents("objects/b.sqlite")
    let error = try shelf.failure("a.sqlite", commands)
    #expect(error.kind == .locked)
    #expect(error.diagnostics.all.map(\.code) == ["FLT-080"])
    #expect(error.diskState == "nothing was published")
    #expect(shelf.directory.contents("objects/a.sqlite") == other)
    #expect(shelf.scratchNames == [])
  }

  @Test func `another run that published the same version is no failure`() throws {
    let version = try versionText()
    let commands = try script(
      "get",
      """
      cp "$S/objects/$1" "$2"
      echo theirs > "$S/objects/$1"
      echo \(version) > "$S/objects/$1.version"
      """)
    #expect(try shelf.run("a.sqlite", commands).outcome == .upToDate)
    #expect(shelf.directory.contents("objects/a.sqlite") == Array("theirs\n".utf8))
  }

  /// The text with which version 2 is published.
  private func versionText() throws -> String {
    let other = try ObjectShelf()
    try other.put("v.sqlite")
    _ = try other.run("v.sqlite", other.commands())
    let text = String(
      decoding: other.directory.contents("objects/v.sqlite.version") ?? [], as: UTF8.self)
    #expect(text.count == 17)
    return String(text.dropLast())
  }

  @Test func `a publication that changes nothing is told`() throws {
    let error = try shelf.failure("a.sqlite", script("put", "exit 0"))
    #expect(error.diagnostics.all.map(\.code) == ["FLT-081"])
    #expect(try shelf.version("a.sqlite") == "1")
  }

  @Test(
    arguments: [
      (
        "look", "echo no credentials >&2; exit 3", "FLT-075",
        "it exited with 3 and said: no credentials"
      ),
      ("look", "exit 1", "FLT-078", "the command of --exists exited with 1"),
      ("look", "echo; exit 0", "FLT-078", "the command of --exists printed nothing"),
      ("look", "printf 'a\\nb\\nc\\n'", "FLT-076", nil),
      ("look", "head -c 5000 /dev/zero", "FLT-073", "it printed more than 4096 bytes"),
      ("look", #"printf '\377\376\n'"#, "FLT-076", nil),
      ("get", "exit 0", "FLT-077", "nothing is at {path}"),
      ("get", #"mkdir "$2""#, "FLT-077", "at {path} is a folder"),
      ("get", #"ln -s /etc/passwd "$2""#, "FLT-077", "at {path} is a symbolic link"),
      (
        "get", #"ln "$S/objects/$1" "$2""#, "FLT-077",
        "what is at {path} is a second name of another file"
      ),
      ("get", #": > "$2""#, "FLT-077", "the file at {path} is empty"),
      ("look", "echo ' '", "FLT-076", nil),
      ("get", "kill -9 $$", "FLT-075", "signal 9 ended it"),
      ("put", "echo full; exit 4", "FLT-075", "it exited with 4"),
    ] as [(String, String, String, String?)])
  func `a command that fails is told with what it said, and the store is as it was`(
    name: String, text: String, code: String, reason: String?
  ) throws {
    let before = shelf.directory.contents("objects/a.sqlite")
    let error = try shelf.failure("a.sqlite", script(name, text))
    #expect(error.kind == .inputOutput)
    #expect(error.diagnostics.all.map(\.code) == [code])
    if let reason { #expect(error.diagnostics.all.first?.reason == reason) }
    #expect(error.diskState != nil)
    #expect(shelf.directory.contents("objects/a.sqlite") == before)
    #expect(shelf.scratchNames == [])
  }

  /// A run that is killed is one whose next command never comes: what is stored is the same.
  @Test(arguments: ["look", "get", "put", "put late", "look late"])
  func `wherever a run ends, the next one finishes it and publishes nothing twice`(
    place: String
  ) throws {
    let name = String(place.prefix { $0 != " " })
    let client = shelf.directory.path("client")
    let text = try #require(shelf.directory.contents("client/\(name)"))
    switch place {
    case "put late": try shelf.script(name, "sh \"\(client)/kept\" \"$@\"; exit 9")
    case "look late":
      try shelf.script(
        name, "if [ -e \"$S/published\" ]; then exit 9; fi; exec sh \"\(client)/kept\" \"$@\"")
    default: try shelf.script(name, "exit 9")
    }
    try shelf.directory.write(text, to: "client/kept")
    let error = try shelf.failure("a.sqlite", shelf.commands())
    #expect(error.diagnostics.all.map(\.code) == ["FLT-075"])
    let isPublished = place.hasSuffix("late")
    #expect(try shelf.version("a.sqlite") == (isPublished ? "2" : "1"))
    #expect(
      error.diskState
        == (isPublished || place == "put"
          ? "what is stored is the whole old or the whole new store; the next run finds out which"
          : "nothing was published"))

    try shelf.directory.write(text, to: "client/\(name)")
    #expect(
      try shelf.run("a.sqlite", shelf.commands()).outcome == (isPublished ? .upToDate : .migrated))
    #expect(try shelf.version("a.sqlite") == "2")
    #expect(shelf.publicationCount == 1)
    #expect(shelf.scratchNames == [])
  }

  @Test func `a program that does not exist is a wrong call`() throws {
    let error = try shelf.failure("a.sqlite", shelf.commands(fetch: "no-such-client {name} {path}"))
    #expect(error.kind == .wrongCall)
    #expect(error.diagnostics.all.map(\.code) == ["FLT-071"])
    #expect(shelf.scratchNames == [])
  }

  @Test func `a command that hangs is ended with everything that it started`() throws {
    try shelf.script("get", "sleep 1000 & echo $! > \"$S/child\"; wait")
    let commands = try shelf.commands(timeLimit: 1)
    let error = try shelf.failure("a.sqlite", commands)
    #expect(error.diagnostics.all.map(\.code) == ["FLT-072"])
    let text = String(decoding: shelf.directory.contents("child") ?? [], as: UTF8.self)
    let child = try #require(Int32(text.dropLast()))
    // It may still be a zombie that nobody has waited for, but it does nothing any more.
    let state = FileManager.default.contents(atPath: "/proc/\(child)/stat")
      .map { String(decoding: $0, as: UTF8.self).split(separator: ")").last ?? "" }
    #expect(state.map { $0.hasPrefix(" Z") } ?? true)
    #expect(shelf.scratchNames == [])
  }

  @Test func `a command that says very much is heard to its end, and only its end is kept`() throws
  {
    let error = try shelf.failure(
      "a.sqlite",
      script("get", "head -c 9000000 /dev/zero | tr '\\0' x >&2; echo; echo the end >&2; exit 9"))
    let reason = try #require(error.diagnostics.all.first?.reason)
    #expect(reason.hasSuffix("the end"))
    #expect(reason.utf8.count < 4_000)
  }

  @Test func `a cancelled run publishes nothing`() throws {
    let control = RunControl()
    control.cancel()
    let error = try #require(throws: MigrationError.self) {
      try shelf.run("a.sqlite", shelf.commands(), control: control)
    }
    #expect(error.kind == .cancelled)
    #expect(try shelf.version("a.sqlite") == "1")
    #expect(!shelf.calls.contains { $0.hasPrefix("put") })
  }

  @Test func `a publication under way is not cancelled`() throws {
    let control = RunControl()
    let commands = try shelf.commands(
      publish: "sh \(shelf.directory.path("client"))/slow {name} {path} {mark} {version}")
    // Its first act is to ask for the end of the run, as somebody at a terminal would.
    try shelf.script(
      "slow",
      #"touch "$S/begun"; while [ ! -e "$S/asked" ]; do sleep 0.01; done; exec sh "$S/client/put" "$@""#
    )
    let (begun, asked) = (shelf.directory.path("begun"), shelf.directory.path("asked"))
    let watcher = Thread {
      while !FileManager.default.fileExists(atPath: begun) { Thread.sleep(forTimeInterval: 0.005) }
      control.cancel()
      _ = FileManager.default.createFile(atPath: asked, contents: nil)
    }
    watcher.start()
    #expect(try shelf.run("a.sqlite", commands, control: control).outcome == .migrated)
    #expect(try shelf.version("a.sqlite") == "2")
  }

  @Test func `a damaged store fails as it does in a folder, and is not published`() throws {
    try shelf.directory.write(Array("not a store".utf8), to: "objects/a.sqlite")
    let error = try shelf.failure("a.sqlite", shelf.commands())
    #expect(error.diagnostics.all.first?.code.hasPrefix("STO") == true)
    #expect(!shelf.calls.contains { $0.hasPrefix("put") })
    #expect(shelf.scratchNames == [])
  }

  @Test func `what a killed run left in the scratch folder is removed, and nothing else`() throws {
    let left = "scratch/passage-fleet-1234"
    let others = [
      "scratch/passage-fleet-notes", "scratch/passage-fleet-12", "scratch/passage-fleet-13",
    ]
    for folder in [left, "\(left)/1", "scratch/passage-fleet-new", "scratch/mine"] + others {
      try FileManager.default.createDirectory(
        atPath: shelf.directory.path(folder), withIntermediateDirectories: false)
    }
    for file in [
      "\(left)/lock", "\(left)/1/store", "scratch/passage-fleet-file", "\(others[0])/lock",
      "\(others[1])/lock", "\(others[1])/mine.txt",
    ] {
      try shelf.directory.write([1], to: file)
    }
    let lock = shelf.directory.path("\(others[2])/lock")
    try FileManager.default.createSymbolicLink(atPath: lock, withDestinationPath: "/dev/null")
    let held = try RemoteScratch(in: shelf.directory.path("scratch"), files: FileSystem())
    _ = try shelf.run("a.sqlite", shelf.commands())
    // One without a lock is being made by somebody.
    #expect(
      Set(shelf.scratchNames).isSuperset(of: ["passage-fleet-new", "mine", "passage-fleet-file"]))
    // Nor is one that no run has made.
    for folder in others {
      #expect(
        (try? FileManager.default.contentsOfDirectory(atPath: shelf.directory.path(folder)))?
          .contains("lock") == true)
    }
    #expect(shelf.scratchNames.count == 7)
    withExtendedLifetime(held) {}
  }

  @Test func `a scratch folder that does not exist is a wrong call`() throws {
    let error = try #require(throws: MigrationError.self) {
      try RemoteScratch(in: shelf.directory.path("none"), files: FileSystem())
    }
    #expect(error.kind == .wrongCall)
    #expect(error.diagnostics.all.map(\.code) == ["FLT-074"])
  }
}
