internal import ArgumentParser
internal import Foundation

/// `passage-corpus damage`: gives stores that were changed and damaged on purpose to the command line.
struct DamageCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "damage",
    abstract: "Gives stores that were changed and damaged on purpose to the command line.",
    discussion: """
      Every store of a known model is migrated by inference, by a process of its own: as it is, \
      without its log, read-only, in the other journal mode, vacuumed, cut off at several sizes; and, \
      as many times as there are rounds, with random bytes changed, with bytes changed that tell how \
      to read a page, or with a value that Core Data never writes. Half of the latter are migrated, the \
      others given to another command. Each must end with the result that the whole store gives, or \
      with a clear error, in time, with nothing written; a result must be the same by both lanes. Exit \
      status 1: one did not.
      """)

  @Argument(help: "The folder.") var corpus: String

  @Option(help: "The migrate program.") var program: String

  @Option(help: "How many stores with changed bytes are made of each store.") var rounds = 20

  @Option(help: "The seed of the changes; a new one unless it is given.") var seed: UInt64?

  func run() async throws {
    let seed = seed ?? UInt64.random(in: 0...UInt64.max)
    print("seed \(seed), \(rounds) rounds")
    let folder = try CorpusFolder(path: corpus)
    var report = Report(expectations: Expectations())
    let pool = ModelPool(folder: folder, report: &report)
    var random = SeededRandom(seed: seed)
    var jobs: [Job] = []
    for store in folder.paths(.store) {
      guard let subject = try DamageSubject(store: store, folder: folder, pool: pool) else {
        continue
      }
      for variation in DamageVariation.all(of: subject, rounds: rounds, random: &random) {
        jobs.append(Job(store: store, subject: subject, variation: variation))
      }
    }
    let results = try await results(of: jobs)
    var counts: [String: Int] = [:]
    var findings: [String] = []
    for (job, result) in zip(jobs, results) {
      counts[
        "\(job.variation.kind.rawValue), \(job.variation.call.rawValue), exit \(result.status)",
        default: 0] += 1
      findings += result.mistakes.map { "\(job.store), \(job.variation.title): \($0)" }
    }
    for (what, count) in counts.sorted(by: { $0.key < $1.key }) { print("\(count) × \(what)") }
    guard findings.isEmpty else {
      print("\(findings.count) findings, seed \(seed):")
      for finding in findings { print("  \(finding)") }
      throw ExitCode(1)
    }
    print("nothing found in \(counts.values.reduce(0, +)) stores")
  }

  /// One store changed in one way.
  private struct Job: Sendable {
    var store: String
    var subject: DamageSubject
    var variation: DamageVariation
  }

  /// As many at a time as the machine has cores, in the order of the jobs.
  private func results(of jobs: [Job]) async throws -> [DamageTrial.Result] {
    let program = program
    return try await withThrowingTaskGroup(of: (Int, DamageTrial.Result).self) { group in
      for (index, job) in jobs.enumerated() {
        group.addTask {
          (index, try DamageTrial(subject: job.subject, program: program).run(job.variation))
        }
      }
      var found: [Int: DamageTrial.Result] = [:]
      for try await (index, result) in group { found[index] = result }
      return found.sorted { $0.key < $1.key }.map(\.value)
    }
  }
}
