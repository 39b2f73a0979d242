/// What an entity mapping's policy makes while objects are created, as far as its hooks and its needs
/// tell.
enum PolicyProducts {
  /// At most one object of each source object, at its key: as without a policy.
  case ownObjects
  /// Other objects too, which get new keys.
  case furtherObjects
  /// Anything, also from objects that were made before.
  case anything
}
