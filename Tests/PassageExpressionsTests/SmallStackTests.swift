import Foundation
import PassageDiagnostics
import PassageExpressions
import PassageValues
import Synchronization
import Testing

/// The danger that a deep tree overflows the stack of a secondary thread, which has 512 KiB on some
/// systems. Without optimisation frames are several times larger, so one MiB stands for it here.
@Suite struct SmallStackTests {
  static let texts = [
    String(repeating: "(", count: 45) + "1 == 1" + String(repeating: ")", count: 45),
    String(repeating: "NOT ", count: 45) + "pages == 1",
    String(repeating: "TERNARY(pages == ", count: 22) + "1"
      + String(repeating: ", 1, 2)", count: 22) + " == 1",
    "1" + String(repeating: " + pages", count: 45) + " == 1",
    String(repeating: "abs:(", count: 45) + "pages" + String(repeating: ")", count: 45) + " == 1",
    String(repeating: "SUBQUERY(readers, $r, ", count: 15) + "1 == 1"
      + String(repeating: ").@count == 0", count: 15),
    String(repeating: "sum:({pages, ", count: 22) + "1" + String(repeating: "})", count: 22)
      + " == 1",
    String(repeating: "(", count: 20) + "{1}" + String(repeating: " UNION {1})", count: 20)
      + " == {1}",
    String(repeating: "{pages, 1}[", count: 22) + "0" + String(repeating: "]", count: 22) + " == 1",
  ]

  @Test(arguments: texts)
  func `the deepest trees fit in the smallest stack`(text: String) throws {
    let box = Box()
    let isDone = DispatchSemaphore(value: 0)
    let thread = Thread {
      box.store(Result { try Self.useEveryPart(of: text) })
      isDone.signal()
    }
    thread.stackSize = 1 << 20
    thread.start()
    isDone.wait()
    #expect(try box.result?.get() == true)
  }

  /// Whether the text survives printing, after every other part has seen it.
  private static func useEveryPart(of text: String) throws -> Bool {
    let tree = try FormatParser.predicate(text)
    let again = try FormatParser.predicate(tree.description)
    let bound = try Binder.predicate(again, in: Library.filter)
    _ = SQLTranslator.predicate(bound, now: 0, column: Library.column)
    let compiled = try CompiledPredicate(bound, slot: Library.slot)
    var context = Library.context
    let one = OneRelatedObject()
    context.relatedObjects = one
    _ = try compiled.evaluate(Library.object(["pages": 1]), in: context)
    return again == tree
  }

  /// One object is related to each, so that every level is looked at.
  private final class OneRelatedObject: RelatedObjectReader {
    func forEachObject(
      of collection: Int, relatedTo key: Int64, once: Bool,
      _ body: (SourceObject) throws -> Bool
    ) throws {
      let shape = ObjectShape(entityName: "Person", names: [])
      _ = try body(SourceObject(shape: shape, key: key, values: []))
    }
  }

  /// What the other thread found.
  private final class Box: Sendable {
    private let stored = Mutex<Result<Bool, any Error>?>(nil)

    var result: Result<Bool, any Error>? { stored.withLock { $0 } }

    func store(_ result: Result<Bool, any Error>) { stored.withLock { $0 = result } }
  }
}
