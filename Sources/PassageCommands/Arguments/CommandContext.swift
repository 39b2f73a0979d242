internal import Passage

/// What the program provides to every command.
enum CommandContext {
  @TaskLocal static var program = CommandProgram()

  /// How much the command prints, and how it looks. Without a call there are no colours.
  @TaskLocal static var look = OutputLook(color: .never)

  static var policies: PolicyRegistry { program.policies }

  /// All types of store, the program's own first.
  static var storeTypes: StoreTypes { storeTypes(maximumFileBytes: nil) }

  static func storeTypes(maximumFileBytes: Int?) -> StoreTypes {
    StoreTypes(
      program.storeTypes + StoreTypes.builtIn(maximumFileBytes: maximumFileBytes).all)
  }
}

/// The policies, functions and types of store compiled into the program. The registry is made when
/// a command asks for it.
struct CommandProgram {
  var policyTypes: [any MigrationPolicy.Type] = []
  var functions: [ValueFunction] = []
  var storeTypes: [any StoreType] = []
  private let registry = ComputedOnce<PolicyRegistry>()

  init(
    policyTypes: [any MigrationPolicy.Type] = [], functions: [ValueFunction] = [],
    storeTypes: [any StoreType] = []
  ) {
    self.policyTypes = policyTypes
    self.functions = functions
    self.storeTypes = storeTypes
  }

  var policies: PolicyRegistry {
    registry.value { PolicyRegistry(policyTypes, functions: functions) }
  }
}
