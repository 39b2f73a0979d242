internal import PassageDiagnostics
package import PassageEngine

/// Where stores are that are not files here, and where they are migrated.
package struct RemotePlace: Sendable {
  let commands: TransferCommands
  /// The folder in which each run makes one of its own.
  let scratch: String

  package init(_ commands: TransferCommands, scratch: String) {
    self.commands = commands
    self.scratch = scratch
  }
}

/// The commands with which stores that are not files here are fetched and published.
package struct TransferCommands: Sendable {
  /// Prints the mark of what is there now, on one line; prints nothing, or exits with 1, if nothing
  /// is there. A second line may have the `{version}` with which it was published.
  let exists: TransferTemplate
  /// Fetches what is there, as the file `{path}` and what belongs to it beside it.
  let fetch: TransferTemplate
  /// Puts the file `{path}`, and what belongs to it, in place of what is there, only if its mark is
  /// still `{mark}`; exits with ``conflictStatus`` if it is not.
  let publish: TransferTemplate
  /// As `NAME=VALUE`.
  let environment: [String]
  /// Seconds after which a command is ended.
  let timeLimit: Double

  /// With this exit status `--publish` says that something else is there than was fetched: “try
  /// again”, as in `sysexits.h`.
  package static let conflictStatus: Int32 = 75
  /// With this exit status `--exists` says that nothing is there.
  static let nothingStatus: Int32 = 1
  /// How long a command may take unless a call says otherwise, in seconds.
  package static let usualTimeLimit = 900.0

  /// - Parameters:
  ///   - environment: the environment of the commands, as `NAME=VALUE`.
  /// - Throws: `FLT-070` for a text that is not a command.
  package init(
    exists: String, fetch: String, publish: String, environment: [String],
    timeLimit: Double = usualTimeLimit
  ) throws(MigrationError) {
    let found = Result { () throws(MigrationError) in
      try TransferTemplate(exists, option: "--exists", allowed: [.name], needed: [.name])
    }
    let fetched = Result { () throws(MigrationError) in
      try TransferTemplate(
        fetch, option: "--fetch", allowed: [.name, .path, .mark], needed: [.name, .path])
    }
    let published = Result { () throws(MigrationError) in
      try TransferTemplate(
        publish, option: "--publish", allowed: [.name, .path, .mark, .version],
        needed: [.name, .path, .mark])
    }
    // All mistakes are reported at once.
    let mistakes = [found, fetched, published].flatMap { result in
      if case .failure(let error) = result { error.diagnostics.all } else { [Diagnostic]() }
    }
    if !mistakes.isEmpty {
      throw MigrationError(Diagnostics(mistakes), diskState: "nothing was written")
    }
    (self.exists, self.fetch, self.publish) = try (found.get(), fetched.get(), published.get())
    self.environment = environment
    self.timeLimit = timeLimit
  }
}
