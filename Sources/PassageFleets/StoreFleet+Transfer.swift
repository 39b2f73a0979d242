internal import Passage
public import PassagePlatform

extension StoreFleet {
  /// The commands with which stores that are not files here are fetched and published. No shell runs
  /// them: a text is divided at spaces outside quotation marks. Placeholders in braces stand for the
  /// values of a store; what each command has to do is on the page “The command line”.
  public struct Transfer: Sendable {
    /// Prints a mark of what is stored as `{name}`, which differs for every content, on one line; prints
    /// nothing, or exits with 1, if nothing is there.
    public var exists: String
    /// Fetches `{name}` to the file `{path}`. It may use `{mark}`.
    public var fetch: String
    /// Replaces `{name}` with the file `{path}`, only if its mark is still `{mark}`; exits with 75 if
    /// it is not. It may use `{version}`.
    public var publish: String
    /// The folder in which fetched stores are migrated. A run makes one of its own in it, and removes
    /// it.
    public var scratch: URL
    /// The environment of the commands.
    public var environment: [String: String]
    /// A command that takes longer is ended.
    public var timeLimit: Duration

    /// The commands that fetch and publish stores.
    ///
    /// - Parameters:
    ///   - exists: prints the mark of what is stored.
    ///   - fetch: fetches what is stored.
    ///   - publish: replaces what is stored.
    ///   - scratch: the folder in which fetched stores are migrated.
    ///   - environment: `ProcessInfo.processInfo.environment` for that of this process, of which the
    ///     library reads nothing by itself. A client finds its programs by `PATH`.
    ///   - timeLimit: by default a quarter of an hour.
    public init(
      exists: String, fetch: String, publish: String, scratch: URL,
      environment: [String: String],
      timeLimit: Duration = .seconds(900)
    ) {
      (self.exists, self.fetch, self.publish) = (exists, fetch, publish)
      self.scratch = scratch
      self.environment = environment
      self.timeLimit = timeLimit
    }

    /// - Throws: `FLT-070` for a text that is not a command.
    func place() throws -> RemotePlace {
      RemotePlace(
        try TransferCommands(
          exists: exists, fetch: fetch, publish: publish,
          environment: environment.map { "\($0.key)=\($0.value)" },
          timeLimit: max(0, timeLimit / .seconds(1))),
        scratch: scratch.path)
    }
  }
}
