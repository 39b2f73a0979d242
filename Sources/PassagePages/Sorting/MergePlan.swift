/// How a sorter's memory is shared among the runs of a merge.
struct MergePlan {
  /// Reading less than this at once costs more than another pass over everything.
  private static let usefulSlice = 16_384
  private static let mostRuns = 256

  /// The runs that are merged at once, at least 2.
  let fanIn: Int
  /// The memory for all slices.
  let byteCount: Int

  /// - Parameters:
  ///   - share: the sorter's memory in bytes.
  ///   - longest: the bytes of the longest entry, which a slice has to hold.
  init(share: Int, longest: Int) {
    // Room for an entry and its length, whatever rounding takes away.
    let least = (longest + 128) & ~63
    let slice = max(min(Self.usefulSlice, share / 8), least)
    fanIn = min(Self.mostRuns, max(2, share / slice - 1))
    byteCount = max(share, slice * (fanIn + 1))
  }

  /// How many runs to merge first so that every later merge is a full one.
  func firstMerge(of runs: Int) -> Int { min(fanIn, runs - fanIn + 1) }

  /// The bytes of each slice, a multiple of 64: one for each run and one for what is written.
  func sliceBytes(runs: Int) -> Int { byteCount / (runs + 1) & ~63 }
}
