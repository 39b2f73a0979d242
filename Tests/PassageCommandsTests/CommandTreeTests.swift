import PassageDiagnostics
import PassageTesting
import TestSupport
import Testing

/// The tree of commands and options as the parser describes it, which is what the manual page is made of,
/// against completions, help and the page about the command line.
struct CommandTreeTests {
  /// A command with what a user may write after it.
  private struct Command {
    var name: String
    /// With the two hyphens, without hidden ones.
    var options: [String]
    /// The values among which an option's is.
    var values: [(option: String, values: [String])]
  }

  private static func migrate(_ arguments: String...) throws -> ChildProgram.Outcome {
    try MigrateProcess.run(arguments, in: Repository.root)
  }

  private static func commands() throws -> [Command] {
    let tree = try #require(try migrate("--experimental-dump-help").json["command"])
    return (tree["subcommands"]?.elements ?? []).map { command in
      let arguments = command["arguments"]?.elements.filter { $0["shouldDisplay"]?.truth != false }
      let named = (arguments ?? []).flatMap { argument in
        (argument["names"]?.elements ?? []).filter { $0["kind"]?.text == "long" }.map {
          (
            option: "--" + ($0["name"]?.text ?? ""),
            values: argument["allValues"]?.elements.compactMap(\.text) ?? []
          )
        }
      }
      return Command(
        name: command["commandName"]?.text ?? "", options: named.map(\.option),
        values: named.filter { !$0.values.isEmpty })
    }.filter { $0.name != "help" }
  }

  @Test func `the tree has every command, and help lists each`() throws {
    let names = try Self.commands().map(\.name)
    #expect(names.sorted() == FailureOutputTests.allCommands.sorted())
    let help = try Self.migrate("--help").output.split(separator: "\n")
    for name in names {
      #expect(help.contains { $0.hasPrefix("  \(name) ") }, "\(name)")
    }
  }

  /// What begins with two hyphens in a text, as whole words.
  private static func options(in text: some StringProtocol) -> Set<String> {
    let words = text.split { $0 != "-" && !$0.isLetter && !$0.isNumber }
    return Set(words.filter { $0.hasPrefix("--") }.map { String($0) })
  }

  @Test func `the page about the command line names every option`() throws {
    let told = Self.options(
      in: try Repository.text("Sources/Passage/Passage.docc/CommandLine.md"))
    for command in try Self.commands() {
      let untold = Set(command.options).subtracting(told).subtracting(["--help"])
      #expect(untold.isEmpty, "\(command.name)")
    }
  }

  /// What the shell offers after some words, for each command, asked of the script as bash asks it.
  @Test func `bash completes every command, option and value`() throws {
    let folder = try TemporaryDirectory()
    let script = try Self.migrate("--generate-completion-script", "bash").output
    try folder.write(
      script + """

        offer() {
          COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
          COMPREPLY=()
          _migrate "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
          echo "${COMPREPLY[*]}"
        }

        """, to: "completion")
    func offered(_ words: [String]) throws -> [String] {
      let outcome = try ChildProgram.run(
        "/bin/bash", ["-c", #". ./completion; offer migrate "$@""#, "bash"] + words, in: folder.path
      )
      return outcome.output.split { $0 == " " || $0 == "\n" }.map(String.init)
    }
    let commands = try Self.commands()
    #expect(try Set(offered([""])).isSuperset(of: commands.map(\.name)))
    for command in commands {
      #expect(try Set(offered([command.name, "--"])).isSuperset(of: command.options))
      for (option, values) in command.values {
        #expect(try offered([command.name, option, ""]) == values, "\(command.name) \(option)")
      }
    }
  }

  @Test func `zsh and fish complete every command and option`() throws {
    let zsh = try Self.migrate("--generate-completion-script", "zsh").output
    let fish = try Self.migrate("--generate-completion-script", "fish").output.split(
      separator: "\n")
    for command in try Self.commands() {
      let start = try #require(zsh.firstRange(of: "\n_migrate_\(command.name)() {")).upperBound
      let end = try #require(zsh[start...].firstRange(of: "\n}\n")).lowerBound
      #expect(Self.options(in: zsh[start..<end]).isSuperset(of: command.options))
      let offers = fish.filter { $0.contains("\"migrate \(command.name)") }
      for option in command.options {
        let offer = "-l '\(option.dropFirst(2))'"
        #expect(offers.contains { $0.contains(offer) }, "fish: \(command.name) \(option)")
      }
    }
  }
}
