extension FileSystem {
  /// A text that changes when the machine starts again; `nil` where the system has none.
  ///
  /// Pass stores are written without syncing: what a killed process wrote is still in the system's
  /// cache, but what a power failure interrupted may be torn. Unsynced work is therefore continued
  /// only within one run of the machine.
  package var bootIdentity: String? {
    contents("/proc/sys/kernel/random/boot_id", limit: 128).flatMap {
      String(validating: $0, as: UTF8.self)
    }
  }
}
