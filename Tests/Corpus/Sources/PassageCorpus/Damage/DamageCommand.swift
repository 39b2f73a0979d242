internal import ArgumentParser
internal import Foundation

/// `passage-corpus damage`: gives stores that were changed and damaged on purpose to the command line.
struct DamageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "damage",
    abstract: "Gives stores that were changed and damaged on purpose to the command line.",
    discussion: """
      Every store of a known model is migrated by inference, by a process of its own: as it is, \
      without its log, read-only, in the other journal mode, vacuumed, cut off at several sizes, and \
      with random bytes changed. Each must end with the result that the whole store gives, or with a \
      clear error, in time, with nothing written. Exit status 1: one did not.
      """)

  @Argument(help: "The folder.") var corpus: String

  @Option(help: "The migrate program.") var program: String

  @Option(help: "How many stores with changed bytes are made of each store.") var rounds = 20

  @Option(help: "The seed of the changes; a new one unless it is given.") var seed: UInt64?

  func run() throws {
    let seed = seed ?? UInt64.random(in: 0...UInt64.max)
    print("seed \(seed), \(rounds) rounds")
    let folder = try CorpusFolder(path: corpus)
    var report = Report(expectations: Expectations())
    let pool = ModelPool(folder: folder, report: &report)
    var random = SeededRandom(seed: seed)
    var findings: [String] = []
    var counts: [String: Int] = [:]
    for store in folder.paths(.store) {
      guard let subject = try DamageSubject(store: store, folder: folder, pool: pool) else {
        continue
      }
      let variations = DamageVariation.all(of: subject, rounds: rounds, random: &random)
      for variation in variations {
        let trial = try DamageTrial(subject: subject, program: program).run(variation)
        counts["\(variation.kind.rawValue), exit \(trial.status)", default: 0] += 1
        for mistake in trial.mistakes {
          findings.append("\(store), \(variation.title): \(mistake)")
        }
      }
    }
    for (what, count) in counts.sorted(by: { $0.key < $1.key }) { print("\(count) × \(what)") }
    guard findings.isEmpty else {
      print("\(findings.count) findings, seed \(seed):")
      for finding in findings { print("  \(finding)") }
      throw ExitCode(1)
    }
    print("nothing found in \(counts.values.reduce(0, +)) stores")
  }
}
