extension BinaryPropertyList {
  /// Refuses lists that contain themselves or are nested too deeply, and returns what each object
  /// expands to: see ``expandedCounts`` and ``valueCounts``.
  ///
  /// The traversal is depth-first with an explicit stack, so that a hostile list cannot overflow
  /// the call stack.
  ///
  /// - Complexity: O(n) in the number of objects and references.
  static func check(
    _ objects: [Object]
  ) throws(PropertyListError) -> (counts: [Int], values: [Int]) {
    var counts = Array(repeating: 0, count: objects.count)
    // A scalar is one value.
    var values = Array(repeating: 1, count: objects.count)
    var heights = Array(repeating: 0, count: objects.count)
    var isOpen = Array(repeating: false, count: objects.count)
    var stack: [(index: Int, references: [Int], next: Int)] = []
    for start in objects.indices where counts[start] == 0 {
      if !objects[start].isContainer {
        counts[start] = objects[start].ownCount
        continue
      }
      stack.append((start, objects[start].references, 0))
      isOpen[start] = true
      while let (index, references, next) = stack.last {
        guard next < references.count else {
          stack.removeLast()
          isOpen[index] = false
          var count = 1
          var valueCount = 1
          var height = 0
          for reference in references {
            count = min(count + counts[reference], Int.max / 2)
            valueCount = min(valueCount + values[reference], Int.max / 2)
            height = max(height, heights[reference])
          }
          counts[index] = count
          values[index] = valueCount
          heights[index] = height + 1
          continue
        }
        stack[stack.count - 1].next += 1
        let reference = references[next]
        if isOpen[reference] { throw .cycle }
        guard counts[reference] == 0 else {
          if stack.count + heights[reference] > maximumDepth { throw .tooDeep }
          continue
        }
        guard objects[reference].isContainer else {
          counts[reference] = objects[reference].ownCount
          continue
        }
        guard stack.count < maximumDepth else { throw .tooDeep }
        isOpen[reference] = true
        stack.append((reference, objects[reference].references, 0))
      }
    }
    return (counts, values)
  }
}
