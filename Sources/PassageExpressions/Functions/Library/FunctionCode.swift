/// The codes of diagnostics about the function library. A number is never reused.
package enum FunctionCode {
  /// Run time: the function cannot read a value.
  static let unreadable = "PRE-040"
  /// Run time: a result that would be too large.
  static let tooLarge = "PRE-041"
  /// Run time: a registered function returned a value of another type than it was registered with,
  /// or a policy's function one that its attribute cannot hold.
  package static let wrongResult = "PRE-042"
  /// A function that cannot be registered.
  static let registration = "PRE-043"
  /// A constant argument that the function cannot use.
  static let badArgument = "PRE-044"
  /// Run time: objects are looked up, but no store is open.
  static let noLookup = "PRE-045"
  /// Run time: the objects of a relationship do not make a tree, or one that is too deep.
  package static let tree = "PRE-046"
}
