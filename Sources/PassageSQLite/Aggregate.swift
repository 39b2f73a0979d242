internal import CSQLite
package import PassageValues

/// An aggregate function with one argument that SQL can call on one connection.
package struct SQLAggregate: Sendable {
  /// The state of a group while its rows are read.
  package protocol State: AnyObject {
    /// Adds the argument of the next row.
    func add(_ value: Value)
    /// The result of the rows so far.
    func result() -> Value
  }

  /// The name in SQL.
  package var name: String
  /// Begins a new group.
  package var begin: @Sendable () -> any State

  package init(name: String, begin: @escaping @Sendable () -> any State) {
    self.name = name
    self.begin = begin
  }
}

extension Connection {
  /// Registers an aggregate function for statements of this connection. The schema of a file cannot
  /// call it.
  ///
  /// https://www.sqlite.org/c3ref/aggregate_context.html: SQLite keeps one zeroed word for each
  /// group. Here it is the address of the group's state, which ``AggregateBox/finish(_:)``
  /// releases. SQLite finishes every group it has begun, even if the statement fails.
  package func register(_ aggregate: SQLAggregate) throws(SQLiteError) {
    let box = AggregateBox(aggregate)
    keep(box)
    let code = sqlite3_create_function_v2(
      handle, aggregate.name, 1, SQLITE_UTF8 | SQLITE_DIRECTONLY | SQLITE_DETERMINISTIC,
      Unmanaged.passUnretained(box).toOpaque(), nil,
      { context, _, arguments in
        guard let context, let user = sqlite3_user_data(context) else { return }
        Unmanaged<AggregateBox>.fromOpaque(user).takeUnretainedValue()
          .add(context, arguments?.pointee)
      },
      { context in
        guard let context, let user = sqlite3_user_data(context) else { return }
        Unmanaged<AggregateBox>.fromOpaque(user).takeUnretainedValue().finish(context)
      }, nil)
    if code != SQLITE_OK { throw error(code) }
  }
}

/// Holds the groups of an aggregate function.
final class AggregateBox {
  private let aggregate: SQLAggregate

  init(_ aggregate: SQLAggregate) { self.aggregate = aggregate }

  private final class Group {
    let state: any SQLAggregate.State

    init(_ state: any SQLAggregate.State) { self.state = state }
  }

  func add(_ context: OpaquePointer, _ argument: OpaquePointer?) {
    let size = Int32(MemoryLayout<UnsafeMutableRawPointer?>.size)
    guard let word = sqlite3_aggregate_context(context, size) else {
      return sqlite3_result_error_nomem(context)
    }
    let slot = word.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    let group: Group
    if let known = slot.pointee {
      group = Unmanaged<Group>.fromOpaque(known).takeUnretainedValue()
    } else {
      group = Group(aggregate.begin())
      slot.pointee = Unmanaged.passRetained(group).toOpaque()
    }
    group.state.add(FunctionBox.value(argument))
  }

  func finish(_ context: OpaquePointer) {
    // With a size of 0, SQLite returns nil for a group without rows.
    let slot = sqlite3_aggregate_context(context, 0)?
      .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    guard let known = slot?.pointee else {
      return FunctionBox.give(aggregate.begin().result(), to: context)
    }
    slot?.pointee = nil
    FunctionBox.give(
      Unmanaged<Group>.fromOpaque(known).takeRetainedValue().state.result(), to: context)
  }
}
