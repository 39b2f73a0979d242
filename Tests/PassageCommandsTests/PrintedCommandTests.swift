import Foundation
import Passage
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

/// Every command that a message prints is run as it is printed; one that is added to the sources and not
/// here fails.
struct PrintedCommandTests {
  /// A command in a file of the sources. Words in capitals stand for what the reader has.
  enum Printed: String, CaseIterable, Sendable {
    case writeInferred = "InferredWay.swift: migrate infer"
    case oldModel = "OldXcodeModel.swift: migrate inspect"
    case newerModel = "XcodeAttributes.swift: migrate inspect"
    case storeByItself = "StatusRequest.swift: migrate inspect"
    case compiledMapping = "CompiledModelReader.swift: migrate convert"
    case editedMapping = "UnknownFile.swift: migrate convert"
    case help = "MigrateCommand.swift: migrate \\("
    case routeDifferences = "StoreRoute.swift: migrate status"
    case storeDifferences = "StoreMigration.swift: migrate status"
    case misspelt = "SubcommandName.swift: migrate \\("
    case statusCommand = "StatusReport.swift: \"migrate\""
    case installed = "InstallReport.swift: \"migrate\""
    case afterInit = "InitReport.swift: \"migrate\""
    case codes = "ExplainCommand.swift: migrate explain"
    case codeOnPage = "MigrationPage+FindingContent.swift: migrate explain"
    case keptStores = "KeptStores+Commands.swift: \"migrate\""
    case foreignFolder = "WorkFolderProof.swift: mv --"
    case killedTransaction = "StoreError+Diagnostic.swift: sqlite3 "
    case folderOfCopies = "StoreError+Diagnostic.swift: mkdir --"
    case copiesBeforeRollback = "StoreError+Diagnostic.swift: cp "
    case fewFiles = "OpenFileLimit.swift: ulimit -n"
    case codesOfCheck = "CheckSettings.swift: migrate explain"
    case inferredWay = "InferredWayRule.swift: \"migrate\""
    case missingWay = "MissingWayRule.swift: migrate infer"
    case release = "UnrecordedVersionRule.swift: \"migrate\""
    case keysOfCall = "ObjectArguments+Call.swift: migrate select"
    case keysOfStore = "WayExplanation.swift: migrate select"
    case objectsOfOtherType = "ObjectCall.swift: migrate select"
    case versionOfStore = "ObjectCall.swift: migrate status"
    case fewFilesLater = "StoreError+Diagnostic.swift: ulimit -n"
    case guessedTypes = "GuessReport.swift: migrate inspect"
    case temporaryFolder = "PrivateFolder.swift: rm "
    case againInRehearsal = "RehearseCommand.swift: \"migrate\""
    case helpOfFleets = "FleetTemplateCommand.swift: migrate fleet"
    case foundMapping = "OtherDocument.swift: migrate inspect"
    case foundHistory = "OtherDocument.swift: migrate diagram"
    case foundProject = "OtherDocument.swift: migrate check"
  }

  // MARK: What the sources print

  /// The texts of the sources: literals, comments left out, by file.
  private static func literals() throws -> [(path: String, line: String)] {
    var found: [(path: String, line: String)] = []
    let root = Repository.file("Sources")
    for path in try FileManager.default.subpathsOfDirectory(atPath: root)
    where path.hasSuffix(".swift") && !path.contains(".docc/") {
      let text = try String(decoding: bytes(of: "\(root)/\(path)"), as: UTF8.self)
      for line in text.split(separator: "\n") {
        let code = line.drop { $0 == " " }
        guard !code.hasPrefix("//"), code.contains("\"") else { continue }
        found.append((path, String(code)))
      }
    }
    return found
  }

  @Test func `every command that the sources print is here`() throws {
    let names = FailureOutputTests.allCommands.joined(separator: "|")
    let pattern = try NSRegularExpression(
      pattern:
        "\"migrate\"|(?<!Would )migrate (?:(?:\(names))\\b|--[a-z]+|\\\\\\()|mv --|mkdir --|sqlite3 "
        + "|ulimit -n"
        + "|(?<![a-z])(?:rm|cp) (?=-|\\\\)")
    var found: Set<String> = []
    for (path, line) in try Self.literals() {
      let file = URL(fileURLWithPath: path).lastPathComponent
      for match in pattern.matches(in: line, range: NSRange(line.startIndex..., in: line)) {
        let range = try #require(Range(match.range, in: line))
        found.insert("\(file): \(line[range])")
      }
    }
    // The name of the program itself, in a place that is no message.
    found.remove("MigrateCommand.swift: \"migrate\"")
    found.remove("FleetTemplateCommand.swift: \"migrate\"")
    #expect(found.sorted() == Printed.allCases.map(\.rawValue).sorted())
  }

  /// A flag that a message names is one that some command takes.
  @Test func `every flag that the sources print is one that a command takes`() throws {
    let project = try ExampleProject()
    let fleet = ["run", "status", "retry", "report", "template"].map { ["fleet", $0, "--help"] }
    let help = try (FailureOutputTests.allCommands.map { [$0, "--help"] } + [["--help"]] + fleet)
      .map {
        try MigrateProcess.run($0, in: project.folder.path).output
      }.joined()
    let known = try Self.flags(help).union(["--version", "--to-version"])
    for (path, line) in try Self.literals() {
      #expect(try Self.flags(line).subtracting(known).isEmpty, "\(path): \(line)")
    }
  }

  /// The flags in a text.
  private static func flags(_ text: String) throws -> Set<String> {
    let pattern = try NSRegularExpression(pattern: "(?<![A-Za-z0-9_-])--[a-z][a-z-]*")
    return Set(
      try pattern.matches(in: text, range: NSRange(text.startIndex..., in: text)).map {
        String(text[try #require(Range($0.range, in: text))])
      })
  }

  /// A program gets remedies that name flags; the page for programs says what they are there.
  @Test func `every flag that a remedy of the library names is translated for programs`() throws {
    let page = try Repository.text("Sources/Passage/Passage.docc/StartUp.md")
    let section = try #require(page.split(separator: "\n### ").first { $0.hasPrefix("Remedies") })
    let translated = try Self.flags(String(section))
    let known = translated.union(["--version"])
    let library = try Self.literals().filter { !Self.isOfCommands($0.path) }
    for (path, line) in library {
      #expect(try Self.flags(line).isSubset(of: known), "\(path): \(line)")
    }
    let named = try Self.flags(library.map(\.line).joined(separator: "\n"))
    #expect(translated.subtracting(named).isEmpty)
  }

  private static func isOfCommands(_ path: String) -> Bool {
    ["PassageChecking/", "PassageCommands/", "PassageInspection/", "migrate/"].contains {
      path.hasPrefix($0)
    }
  }

  // MARK: Running them

  @Test(arguments: Printed.allCases)
  func `what is printed works when it is pasted`(printed: Printed) throws {
    switch printed {
    case .writeInferred, .missingWay: try checkInferred()
    case .oldModel, .newerModel, .storeByItself: try checkInspect()
    case .compiledMapping, .editedMapping: try checkConvert()
    case .help: try checkHelp()
    case .helpOfFleets: try checkHelpOfFleets()
    case .routeDifferences, .storeDifferences, .versionOfStore: try checkStatus()
    case .installed: try checkInstalled()
    case .codes, .codeOnPage, .codesOfCheck: try checkCodes()
    case .keysOfCall, .keysOfStore: try checkKeys()
    case .objectsOfOtherType: try checkOtherType()
    case .keptStores: try checkKeptStores()
    case .killedTransaction, .folderOfCopies, .copiesBeforeRollback: try checkRollback()
    case .fewFiles, .fewFilesLater: try checkFiles()
    case .guessedTypes: try checkGuessedTypes()
    case .foundMapping, .foundHistory, .foundProject: try checkOtherDocuments()
    case .againInRehearsal: try checkRehearsedAgain()
    // Each has a test of its own that pastes it.
    case .misspelt, .statusCommand, .afterInit, .foreignFolder, .release,
      .temporaryFolder, .inferredWay:
      break
    }
  }

  /// Runs a command of a shell with the built program first among its programs.
  private func paste(_ command: String, in folder: String) throws -> MigrateProcess.Outcome {
    let place = try MigrateProcess.executable.deletingLastPathComponent().path
    return try ChildProgram.run(
      "/bin/sh", ["-c", "PATH=\"$0:$PATH\"; \(command)", place], in: folder)
  }

  private func checkHelpOfFleets() throws {
    let project = try ExampleProject()
    let refused = try project.migrate("fleet", "template", "slurm", "--shards", "2", "--nope")
    #expect(refused.errors.contains("see migrate fleet run --help\n"))
    #expect(try paste("migrate fleet run --help", in: project.folder.path).status == 0)
  }

  private func checkKeys() throws {
    let project = try ExampleProject()
    let outcome = try paste(
      "migrate select --store \(ExampleProject.sample) --entity Event --keys",
      in: project.folder.path)
    #expect(outcome.status == 0 && outcome.output.hasPrefix("1\n2\n"), "\(outcome.errors)")
  }

  private func checkOtherType() throws {
    let project = try ExampleProject()
    try project.folder.write("id,text\n1,a\n", to: "It's/Event.csv")
    let outcome = try project.migrate(
      "explain", "--store", "It's/Event.csv", "--entity", "Event", "--key", "1")
    let start = try #require(outcome.errors.range(of: "migrate select"), "\(outcome.errors)")
    let command = String(outcome.errors[start.lowerBound...].prefix { $0 != "\n" })
    let found = try paste(command, in: project.folder.path)
    #expect(found.status == 0 && found.output == "1\n", "\(command): \(found.errors)")
  }

  private func checkGuessedTypes() throws {
    let project = try ExampleProject()
    try project.folder.write("id,It's\n1,2024-01-31\n", to: "It's mine.csv")
    let outcome = try project.migrate("inspect", "It's mine.csv", "--guess-types")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let start = try #require(outcome.output.range(of: "migrate inspect"), "\(outcome.output)")
    let command = String(outcome.output[start.lowerBound...].prefix { $0 != "\n" })
    #expect(try paste(command, in: project.folder.path).status == 0, "\(command)")
    #expect(project.folder.contents("It's mine.csv.store.json") != nil)
  }

  private func checkOtherDocuments() throws {
    let project = try ExampleProject()
    try project.folder.write("id,name\n1,Ada\n", to: "people.csv")
    try project.folder.write(#"{ "type": "delimited" }"#, to: "people.csv.store.json")
    for file in ["Mappings/StepOne.json", "Migrations/history.json", "people.csv.store.json"] {
      let wrong = try project.migrate(
        "create", "--output", "new.sqlite", "--model", file, "--format", "json")
      let remedy = try #require(try wrong.json["error"]?["diagnostics"]?[0]?["remedy"]?.text)
      for part in remedy.replacing("; ", with: "\n").split(separator: "\n") {
        let command = try #require(part.range(of: "migrate "), "\(remedy)")
        let outcome = try paste(
          String(part[command.lowerBound...]), in: project.folder.path)
        #expect(outcome.status == 0, "\(part): \(outcome.errors)")
      }
    }
  }

  private func checkRehearsedAgain() throws {
    let project = try ExampleProject()
    let first = try project.migrate("rehearse", "--size", "2", "--format", "json")
    let again = try #require(try first.json["again"]?.text)
    #expect(again.hasPrefix("migrate rehearse --seed "))
    let second = try paste("\(again) --format json", in: project.folder.path)
    #expect(second.status == 0, "\(second.errors)")
    #expect(try second.json["seed"]?.number == first.json["seed"]?.number)
  }

  private func checkInferred() throws {
    let project = try ExampleProject()
    let models = ["1", "2"].map { "'Migrations/Events \($0).json'" }
    let outcome = try paste(
      "migrate infer --from \(models[0]) --to \(models[1]) > Mappings/Own.json",
      in: project.folder.path)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let plan = try paste(
      "migrate plan --mappings Own --models \(models[0]) --models \(models[1])",
      in: project.folder.path)
    #expect(plan.status == 0, "\(plan.errors)")
  }

  /// The hashes of a store, to be compared with a model's.
  private func checkInspect() throws {
    let project = try ExampleProject()
    let store = try paste(
      "migrate inspect \(ExampleProject.sample) --format json", in: project.folder.path)
    let model = try paste(
      "migrate inspect 'Migrations/Events 1.json' --format json", in: project.folder.path)
    let hashes = [store, model].map { outcome in
      outcome.output.split(separator: "\n").filter { $0.lowercased().contains("hash") }
    }
    #expect(store.status == 0 && model.status == 0)
    #expect(!hashes[0].isEmpty && !hashes[1].isEmpty)
  }

  /// What it takes is tested with real files where there are any; here that it says so.
  private func checkConvert() throws {
    let project = try ExampleProject()
    let outcome = try paste("migrate convert --help", in: project.folder.path)
    #expect(outcome.status == 0)
    #expect(outcome.output.contains(".xcmappingmodel") && outcome.output.contains(".cdm"))
  }

  private func checkHelp() throws {
    let project = try ExampleProject()
    let wrong = try project.migrate("--nope", "--format", "json")
    let remedy = try #require(try wrong.json["error"]?["diagnostics"]?[0]?["remedy"]?.text)
    #expect(remedy.hasPrefix("see "))
    let outcome = try paste(String(remedy.dropFirst(4)), in: project.folder.path)
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("--format"))
  }

  private func checkStatus() throws {
    let project = try FailureProject().project
    let outcome = try paste("migrate status --store Stranger.sqlite", in: project.folder.path)
    #expect(outcome.status == 20)
    #expect(outcome.output.contains("Event: the attribute “other” is added"), "\(outcome.output)")
  }

  private func checkCodes() throws {
    let project = try ExampleProject()
    let outcome = try paste("migrate explain", in: project.folder.path)
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("MAP-014"))
    #expect(try paste("migrate explain MAP-014", in: project.folder.path).status == 0)
  }

  private func checkKeptStores() throws {
    let project = try ExampleProject()
    #expect(try project.migrate("--in-place").status == 0)
    let wrong = try project.migrate("restore", "--from", ExampleProject.sample, "--format", "json")
    let remedy = try #require(try wrong.json["error"]?["diagnostics"]?[0]?["remedy"]?.text)
    let start = try #require(remedy.range(of: "migrate restore"), "\(remedy)")
    let list = String(remedy[start.lowerBound...])
    #expect(try paste(list, in: project.folder.path).output.contains("Events.sqlite.before-1"))
    // The other command differs in its first words.
    let prune = list.replacing("restore --list", with: "prune --keep 0")
    #expect(try paste(prune, in: project.folder.path).output.hasPrefix("Removed"))
    #expect(try paste(list, in: project.folder.path).output.contains("is kept."))
  }

  /// The project's files have other names: the command must say so as the call did.
  private func checkInstalled() throws {
    let project = try ExampleProject()
    for (old, new) in [("Migrations", "our history"), ("Mappings", "our mappings")] {
      try FileManager.default.moveItem(atPath: project.path(old), toPath: project.path(new))
    }
    try project.folder.copy(
      project.path("our history/Sample/Events.sqlite"), to: "It's mine.sqlite")
    let outcome = try project.migrate(
      "install", "--from", "our history/Sample/Events.sqlite", "--to", "It's mine.sqlite",
      "--migrations", "our history", "--mappings-dir", "our mappings", "--to-version", "2")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let start = try #require(outcome.output.range(of: "migrate run"), "\(outcome.output)")
    let command = String(outcome.output[start.lowerBound...].prefix { $0 != "\n" })
    let migrated = try paste(command, in: project.folder.path)
    #expect(migrated.status == 0, "\(command): \(migrated.errors)")
    #expect(try paste(command, in: project.folder.path).output.hasPrefix("Nothing to do"))
  }

  /// The remedy of a transaction that was never finished.
  private func checkRollback() throws {
    let project = try FailureProject()
    try project.killTransaction()
    let failed = try project.project.migrate("--store", "Killed.sqlite", "--to", "2")
    #expect(failed.status == 64)
    let start = try #require(failed.errors.range(of: "mkdir -- "), "\(failed.errors)")
    let command = String(failed.errors[start.lowerBound...].prefix { $0 != "\n" })
    guard try paste("command -v sqlite3", in: project.project.folder.path).status == 0 else {
      return
    }
    let folder = project.project.folder
    let names = ["Killed.sqlite", "Killed.sqlite-journal"]
    let before = names.map { folder.contents($0) }
    let outcome = try paste(command, in: folder.path)
    #expect(outcome.status == 0 && outcome.output == "ok\n", "\(command): \(outcome.errors)")
    #expect(names.map { folder.contents("Killed.sqlite.unrolled/\($0)") } == before)
    // Copies that are there already are not replaced, and nothing is rolled back without them.
    #expect(try paste(command, in: folder.path).status != 0)
    let migrated = try project.project.migrate("--store", "Killed.sqlite", "--to", "2")
    #expect(migrated.status == 0, "\(migrated.errors)")
  }

  private func checkFiles() throws {
    let project = try ExampleProject()
    let call = "migrate --mappings StepOne,StepTwo"
    let refused = try paste("ulimit -n 12; \(call)", in: project.folder.path)
    #expect(refused.status == 32)
    let start = try #require(refused.errors.range(of: "ulimit -n"), "\(refused.errors)")
    let command = String(refused.errors[start.lowerBound...].prefix { $0 != ")" })
    let outcome = try paste("\(command); \(call)", in: project.folder.path)
    #expect(outcome.status == 0, "\(command): \(outcome.errors)")
  }
}
