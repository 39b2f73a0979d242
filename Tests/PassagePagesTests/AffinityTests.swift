import PassagePages
import Testing

@Suite struct AffinityTests {
  @Test(arguments: [
    ("int", Affinity.numeric), ("Charint", .numeric), ("varchar(20)", .text), ("blob", .blob),
    ("", .blob), ("double", .real), ("date", .numeric),
    // A letter that is an I in upper case to Swift, and none to SQLite.
    ("FLOAT\u{131}NT", .real), ("TEXT\u{131}NT", .text),
  ])
  func `a declared type is read in any case of ASCII`(type: String, affinity: Affinity) {
    #expect(Affinity(declaredType: type) == affinity)
  }
}
