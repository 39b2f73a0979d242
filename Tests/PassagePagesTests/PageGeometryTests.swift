import PassagePages
import Testing

@Suite struct PageGeometryTests {
  /// The page that SQLite locks lies where a pointer-map page would be in files of some page sizes.
  @Test(arguments: [512, 1_024, 4_096, 8_192, 16_384, 32_768, 65_536])
  func `the pointer maps of a file are the pages that are pointer maps`(pageBytes: Int) {
    let geometry = PageGeometry(pageBytes: pageBytes, hasPointerMap: true)
    for count in [0, 1, 2, 3, 105, 1_000, geometry.lockPage - 1, geometry.lockPage + 3] {
      let maps = geometry.pointerMaps(of: count)
      let tail = count > 20_000 ? count - 20_000 : 1
      let expected = (tail...max(tail, count)).filter { $0 <= count && geometry.isPointerMap($0) }
      #expect(maps.filter { $0 >= tail } == expected)
      #expect(maps.allSatisfy(geometry.isPointerMap))
    }
  }

  @Test func `a file that cannot give back pages has no pointer maps`() {
    let geometry = PageGeometry(pageBytes: 4_096, hasPointerMap: false)
    #expect(geometry.pointerMaps(of: 10_000).isEmpty)
  }
}
