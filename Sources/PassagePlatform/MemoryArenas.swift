#if os(Linux)
  internal import CLinux
#endif

/// The arenas of the C library, from which threads get their memory.
package enum MemoryArenas {
  /// Has the threads that are begun from now on share so many arenas: `M_ARENA_MAX` of `mallopt(3)`.
  ///
  /// glibc gives each thread an arena of its own, up to eight for each processor, and what is given
  /// back in one of them is of no use to the others. Other C libraries have no such limit. Only a
  /// program may set it, not a library.
  ///
  /// - Parameter count: at least 1.
  package static func limit(to count: Int) {
    #if os(Linux)
      passage_limit_memory_arenas(Int32(clamping: max(1, count)))
    #endif
  }
}
