/// One step of a key path.
package enum KeyPathComponent: Sendable, Hashable {
  /// A property: `name`, or `#size` for a name that is a reserved word.
  case name(String)
  /// A collection operator without the at sign: `count` for `@count`.
  case collectionOperator(String)
  /// A component that is supplied later: the conversion without the percent sign, `K` for `%K`.
  case placeholder(String)
}
