/// An archive of `NSKeyedArchiver`, as the flat table of objects that is on disk.
///
/// No class is ever instantiated from it. An object is a class name and values by key, and
/// references between objects are not followed until they are asked for, so that sharing and cycles
/// cost nothing. Apple's property-list format of archives: `$objects` holds every object once,
/// `$top` names the outermost ones. The values of objects are scalars or UIDs, which are positions
/// in `$objects`; number 0 is nil.
package struct KeyedArchive: Sendable {
  /// One object of the archive; equal references are the same object.
  package struct Reference: Sendable, Hashable {
    fileprivate let index: Int
  }

  /// A value of an object, with one reference followed.
  package enum Item: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    /// Seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    case string(String)
    case data([UInt8])
    /// A list of values inside an object, such as `NS.objects`.
    case list([Int])
    case object(Reference)
  }

  /// The longest key of an object in bytes. Keys are names that programs give to their values.
  package static let maximumKeyBytes = 256

  private let list: BinaryPropertyList
  /// For each object number, the index of the object in the property list.
  private let numbers: [Int]
  /// For every dictionary of the property list, the index of each value by key.
  private let members: [[String: Int]]
  private let top: Int

  /// Reads an archive.
  ///
  /// - Throws: `propertyList`, `longKey`, `notAKeyedArchive`.
  /// - Complexity: O(n) in the number of bytes.
  package init(_ bytes: [UInt8]) throws(KeyedArchiveError) {
    let list: BinaryPropertyList
    do {
      list = try BinaryPropertyList(bytes)
    } catch {
      throw .propertyList(error)
    }
    var members: [[String: Int]] = []
    members.reserveCapacity(list.objects.count)
    for object in list.objects {
      guard case .dictionary(let keys, let values) = object else {
        members.append([:])
        continue
      }
      var table: [String: Int] = [:]
      table.reserveCapacity(keys.count)
      for (key, value) in zip(keys, values) {
        guard case .string(let name) = list.objects[key] else { throw .propertyList(.badKey) }
        // Many objects can share a key, and each would hash all of it.
        guard name.utf8.count <= Self.maximumKeyBytes else { throw .longKey(name.utf8.count) }
        if table[name] == nil { table[name] = value }
      }
      members.append(table)
    }
    guard let archiver = members[list.top]["$archiver"],
      case .string(let name) = list.objects[archiver], name.hasSuffix("KeyedArchiver"),
      let objects = members[list.top]["$objects"],
      case .array(let numbers) = list.objects[objects], !numbers.isEmpty,
      let top = members[list.top]["$top"], case .dictionary = list.objects[top]
    else { throw .notAKeyedArchive }
    self.list = list
    self.numbers = numbers
    self.members = members
    self.top = top
  }

  /// The outermost object: the one under `root`, or the only one.
  package func root() throws(KeyedArchiveError) -> Reference {
    guard case .object(let root) = try rootItem() else {
      throw .wrongKind(key: "root", expected: "an object")
    }
    return root
  }

  /// The outermost value, which is not an object if it is a text, a number or data.
  package func rootItem() throws(KeyedArchiveError) -> Item {
    let table = members[top]
    guard let index = table["root"] ?? (table.count == 1 ? table.values.first : nil) else {
      throw .missing(key: "root")
    }
    return try item(at: index)
  }

  /// The value of an object under a key; `null` if there is none.
  ///
  /// - Complexity: O(1).
  package func item(_ key: String, of object: Reference) throws(KeyedArchiveError) -> Item {
    guard let index = members[object.index][key] else { return .null }
    return try item(at: index)
  }

  /// The keys of an object, except that of its class, in code-unit order.
  ///
  /// Objects can be shared, so a reader asks ``KeyedUnarchiver/keys(of:)``, which counts the keys.
  package func keys(of object: Reference) -> [String] {
    members[object.index].keys.filter { $0 != "$class" }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The value at an index from an ``Item/list(_:)``.
  package func item(at index: Int) throws(KeyedArchiveError) -> Item {
    guard case .uid(let number) = list.objects[index] else { return try direct(index) }
    guard let position = Int(exactly: number), numbers.indices.contains(position) else {
      throw .badReference(number)
    }
    let target = numbers[position]
    if position == 0, case .string("$null") = list.objects[target] { return .null }
    if case .uid = list.objects[target] { throw .badReference(number) }
    return try direct(target)
  }

  private func direct(_ index: Int) throws(KeyedArchiveError) -> Item {
    switch list.objects[index] {
    case .null: .null
    case .bool(let bool): .bool(bool)
    case .integer(let integer): .integer(integer)
    // Archives use such numbers for the largest counts, which mean "no limit".
    case .unsignedInteger(let integer): .integer(Int64(clamping: integer))
    case .real(let real): .real(real)
    case .date(let date): .date(date)
    case .data(let data): .data(data)
    case .string(let string): .string(string)
    case .array(let elements), .set(let elements): .list(elements)
    case .dictionary: .object(Reference(index: index))
    case .uid(let number): throw .badReference(number)
    }
  }

  /// The largest number of classes in an object's chain of superclasses that is read.
  private static let maximumClasses = 32
  /// The longest name of a class in bytes. Messages show it.
  private static let maximumClassNameBytes = 256

  /// The object's class and its superclasses, the class itself first.
  ///
  /// - Throws: `noClass`.
  package func classNames(of object: Reference) throws(KeyedArchiveError) -> [String] {
    try classNames(describedBy: classDescription(of: object))
  }

  /// What describes the object's class. Objects of one class share it.
  ///
  /// - Throws: `noClass`.
  /// - Complexity: O(1).
  package func classDescription(of object: Reference) throws(KeyedArchiveError) -> Reference {
    guard case .object(let description) = try item("$class", of: object) else { throw .noClass }
    return description
  }

  /// The class and its superclasses, the class itself first.
  ///
  /// - Throws: `noClass`.
  package func classNames(
    describedBy description: Reference
  ) throws(KeyedArchiveError) -> [String] {
    guard case .string(let name) = try item("$classname", of: description),
      name.utf8.count <= Self.maximumClassNameBytes
    else { throw .noClass }
    var names = [name]
    if case .list(let classes) = try item("$classes", of: description) {
      for index in classes.prefix(Self.maximumClasses) {
        if case .string(let ancestor) = try item(at: index), ancestor != name {
          names.append(ancestor)
        }
      }
    }
    return names
  }
}
