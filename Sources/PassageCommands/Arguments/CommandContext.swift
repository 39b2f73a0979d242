internal import Passage

/// What the program provides to every command.
enum CommandContext {
  @TaskLocal static var program = CommandProgram()

  static var policies: PolicyRegistry { program.policies }

  /// All types of store, the program's own first.
  static var storeTypes: StoreTypes { storeTypes(maximumFileBytes: nil) }

  static func storeTypes(maximumFileBytes: Int?) -> StoreTypes {
    StoreTypes(
      program.storeTypes + StoreTypes.builtIn(maximumFileBytes: maximumFileBytes).all)
  }
}

/// The policies and types of store compiled into the program.
struct CommandProgram {
  var policies = PolicyRegistry()
  var storeTypes: [any StoreType] = []
}
