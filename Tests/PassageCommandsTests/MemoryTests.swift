import TestSupport

#if os(Linux)
  import Foundation
  import Passage
  import PassageTesting
  import Testing

  /// Peak memory of a process of its own, read while it runs (proc(5), VmHWM): what a parent is reported
  /// a child by wait4(2) counts the parent's own pages.
  @Suite(.serialized) struct MemoryTests {
    private let folder: TemporaryDirectory

    init() throws {
      folder = try TemporaryDirectory()
      for name in ["Migrations", "Mappings"] {
        try FileManager.default.createDirectory(
          atPath: folder.path(name), withIntermediateDirectories: true)
      }
      for name in ["history.json", "People.json", "AddressBook.json"] {
        try folder.copy(
          Repository.file("Tests/Examples/People/Migrations/\(name)"), to: "Migrations/\(name)")
      }
    }

    /// Contacts of ten companies, each with a friend.
    private func writeContacts(_ count: Int, to name: String) throws {
      var text = "entity,id,name,fullName,employer,friends\n"
      for number in 1...10 { text += "Company,\(number),Company \(number),,,\n" }
      for number in 1...count {
        let friend = number.isMultiple(of: 2) ? "\(number - 1)" : ""
        text += "Contact,\(number),,First\(number) Last\(number),\(number % 10 + 1),\(friend)\n"
      }
      try folder.write(text, to: name)
    }

    /// The peak of a run in KiB.
    private func peak(_ arguments: String...) throws -> Int { try peak(arguments) }

    private func peak(_ arguments: [String]) throws -> Int {
      let program = try MigrateProcess.start(arguments, in: folder.path)
      let process = program.process
      var peak = 0
      while process.isRunning {
        let status =
          (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8))
          ?? ""
        for line in status.split(separator: "\n") where line.hasPrefix("VmHWM:") {
          peak = max(peak, line.split(separator: " ").compactMap { Int($0) }.first ?? 0)
        }
        usleep(1_000)
      }
      let outcome = program.outcome()
      try #require(outcome.status == 0, "\(outcome.errors)")
      return peak
    }

    @Test func `memory does not grow with the objects of a file of text`() throws {
      var peaks: [String: [Int]] = [:]
      for count in [2_000, 12_000] {
        let (text, store) = ("\(count).csv", "\(count).sqlite")
        try writeContacts(count, to: text)
        peaks["delimited in", default: []].append(
          try peak("--store", text, "--to", "AddressBook", "--output", store))
        for (name, kind) in [
          ("csv", "delimited"), ("records", "keyed"), ("jsonl", "JSON lines"), ("xml", "xml"),
        ] {
          peaks["\(kind) out", default: []].append(
            try peak("--store", store, "--to", "AddressBook", "--output", "\(count).out.\(name)"))
        }
        peaks["JSON lines in", default: []].append(
          try peak(
            "--store", "\(count).out.jsonl", "--to", "AddressBook", "--output", "\(count).in.sqlite"
          ))
      }
      for (way, found) in peaks {
        // The pages of SQLite's caches fill up; a thousand bytes for each object would be 10 MiB more.
        #expect(found[1] - found[0] < 8 << 10, "\(way): \(found) KiB")
        #expect(found[0] > 5 << 10 && found[1] < 100 << 10, "\(way): \(found) KiB")
      }
    }

    @Test func `a store that is loaded whole is refused above the bound and read with the remedy`()
      throws
    {
      try writeContacts(400, to: "small.csv")
      let migrate = { (arguments: [String]) in try MigrateProcess.run(arguments, in: folder.path) }
      #expect(
        try migrate(["--store", "small.csv", "--to", "AddressBook", "--output", "small.xml"]).status
          == 0)
      let commands: [[String]] = [
        ["--store", "small.xml", "--to", "AddressBook", "--output", "again.sqlite"],
        ["plan", "--store", "small.xml", "--to", "AddressBook", "--output", "other.sqlite"],
        ["inspect", "small.xml"], ["status", "--store", "small.xml"],
        ["verify", "--store", "small.csv", "--to", "AddressBook", "--output", "small.xml"],
      ]
      for command in commands {
        let refused = try migrate(command + ["--memory", "1M"])
        #expect(refused.status == 64, "\(command): \(refused.errors)\(refused.output)")
        #expect(refused.errors.contains("ATM-050"), "\(command): \(refused.errors)")
        #expect(refused.errors.contains("1M are allowed"))
        let words = refused.errors.split(whereSeparator: { $0.isWhitespace || $0 == "," })
        let amount = try #require(
          words.firstIndex(of: "--memory").flatMap { words[safe: $0 + 1] }, "\(refused.errors)")
        let allowed = try migrate(command + ["--memory", String(amount)])
        #expect([0, 10].contains(allowed.status), "\(command): \(allowed.errors)")
      }
    }

    @Test func `a large value is in memory at most twice where objects go one by one`() throws {
      func text(_ name: String, _ more: String) -> String {
        """
        {"name": "\(name)", "entities": [{"name": "Photo", "attributes": [
          {"name": "data", "type": "binary", "optional": true},
          {"name": "preview", "type": "binary", "optional": true}\(more)]}]}
        """
      }
      try folder.write(text("Old", ""), to: "Old.json")
      let note = #", {"name": "note", "type": "string", "optional": true}"#
      try folder.write(text("New", note), to: "New.json")
      let store = try TestStore(
        model: Model(
          name: "Old",
          entities: [
            Entity(
              name: "Photo",
              attributes: [
                Attribute(name: "data", type: .binary), Attribute(name: "preview", type: .binary),
              ])
          ]), at: folder.path("photos.sqlite"))
      let mebibytes = 32
      for number in 1...3 {
        let large = [UInt8](repeating: UInt8(number), count: mebibytes << 20 + number)
        let small = [UInt8](repeating: 7, count: number)
        try store.insert(
          "Photo",
          number == 2
            ? ["data": .blob(small), "preview": .blob(large)]
            : ["data": .blob(large), "preview": .blob(small)])
      }
      try store.close()
      let call = [
        "--store", "photos.sqlite", "--output", "new.sqlite", "--models", "Old.json", "--models",
        "New.json", "--to", "New", "--infer",
      ]
      // In SQL the machine of SQLite keeps a place for each column, beside the record that it makes.
      #expect(try peak(call) < (3 * mebibytes + 60) << 10)
      // Object by object, and compared with the other: a value and the record.
      #expect(try peak(["verify"] + call) < (2 * mebibytes + 60) << 10)
    }

    @Test func `a record longer than memory allows is refused`() throws {
      try folder.write(
        "entity,id,fullName\nContact,1,\"" + String(repeating: "x", count: 1 << 20), to: "long.csv")
      let outcome = try MigrateProcess.run(
        ["--store", "long.csv", "--to", "AddressBook", "--output", "a.sqlite", "--memory", "1M"],
        in: folder.path)
      #expect(outcome.status == 64 && outcome.errors.contains("ATM-051"), "\(outcome.errors)")
    }

    @Test(arguments: [
      ("512M", 536_870_912), ("2g", 2_147_483_648), ("1048576", 1_048_576), ("64KiB", 65_536),
      ("0", nil), ("", nil), ("M", nil), ("-1M", nil), ("1.5G", nil), ("99999999999T", nil),
    ])
    func `amounts of memory are read as people write them`(_ text: String, _ bytes: Int?) {
      #expect(MemorySize.bytes(text) == bytes)
    }
  }

  extension Array {
    fileprivate subscript(safe index: Int) -> Element? {
      indices.contains(index) ? self[index] : nil
    }
  }
#endif
