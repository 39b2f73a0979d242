#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A program that runs to its end.
struct Child {
  /// What is known when it has ended.
  struct Outcome {
    var seconds: Double
    /// Seconds of processor time, in the program and in the kernel for it; the final sync is in it.
    var processorSeconds: Double
    /// The most memory it had, as the kernel tells it.
    var peakBytes: Int
    var output: String

    /// What stands after a word in the lines that begin with it.
    func lines(_ word: String) -> [Substring] {
      output.split(separator: "\n").filter { $0.hasPrefix(word + " ") }.map {
        $0.dropFirst(word.count + 1)
      }
    }
  }

  /// A program could not be started, or did not end well.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  var program: String
  var arguments: [String]
  /// The file it reads as standard input.
  var inputPath: String?

  /// Runs it and waits; the time includes starting it.
  ///
  /// - Parameter durable: a file that must be durable before the time ends: whoever has synced it
  ///   already pays nothing.
  func run(durable: String? = nil, in folder: Folder) throws -> Outcome {
    let outputPath = folder.path("output")
    var actions = Self.emptyActions
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, inputPath ?? "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(
      &actions, 1, outputPath, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    let started = ContinuousClock.now
    var process: pid_t = 0
    let code = posix_spawnp(&process, program, &actions, nil, words, environ)
    guard code == 0 else {
      throw Failure(description: "\(program): \(String(cString: strerror(code)))")
    }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(process, &status, 0, &usage) == -1 {
      guard errno == EINTR else { throw Failure(description: "\(program) was lost") }
    }
    let syncSeconds = try durable.map(Self.processorSeconds(ofSyncing:)) ?? 0
    let seconds = started.duration(to: .now) / .seconds(1)
    guard status == 0 else {
      throw Failure(
        description: "\(program) \(arguments.joined(separator: " ").prefix(300)) ended with "
          + "\(status >> 8)")
    }
    #if os(Linux)
      let peakBytes = Int(usage.ru_maxrss) * 1024
    #else
      let peakBytes = Int(usage.ru_maxrss)
    #endif
    return Outcome(
      seconds: seconds,
      processorSeconds: Self.processorSeconds(usage) + syncSeconds,
      peakBytes: peakBytes, output: try Folder.text(outputPath))
  }

  /// Syncs a file in this process, which waits otherwise.
  private static func processorSeconds(ofSyncing path: String) throws -> Double {
    let before = processorSeconds(of: ownUsage)
    try Folder.synchronize(path)
    return processorSeconds(of: ownUsage) - before
  }

  /// The processor time so far of this process, or of its children that have ended.
  static func processorSeconds(of whom: Whom) -> Double {
    var usage = rusage()
    getrusage(whom, &usage)
    return processorSeconds(usage)
  }

  private static func processorSeconds(_ usage: rusage) -> Double {
    [usage.ru_utime, usage.ru_stime].reduce(0) {
      $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1_000_000
    }
  }

  #if canImport(Glibc)
    private static var emptyActions: posix_spawn_file_actions_t { posix_spawn_file_actions_t() }
    typealias Whom = __rusage_who_t
    static let ownUsage = __rusage_who_t(RUSAGE_SELF.rawValue)
    static let childrensUsage = __rusage_who_t(RUSAGE_CHILDREN.rawValue)
  #else
    typealias Whom = Int32
    static let ownUsage = RUSAGE_SELF
    static let childrensUsage = RUSAGE_CHILDREN
    private static var emptyActions: posix_spawn_file_actions_t? { nil }
  #endif
}

extension Child.Outcome {
  /// The processor time of the phases in which the engine checks what it has written; 0 when it did
  /// not tell its phases.
  var proofSeconds: Double {
    let phases = lines("phase").map { $0.split(separator: " ") }
    return zip(phases, phases.dropFirst()).reduce(0) { sum, pair in
      guard pair.0.first == "verify", let began = pair.0.last.flatMap({ Double($0) }),
        let ended = pair.1.last.flatMap({ Double($0) })
      else { return sum }
      return sum + ended - began
    }
  }
}
