extension FileSystem {
  /// A text that changes when the machine is restarted; `nil` if the system has none.
  ///
  /// Pass stores are written without syncing. What a killed process wrote is still in the system's
  /// cache, but after a power failure the files may be torn. Unsynced work is therefore continued
  /// only until the machine is restarted.
  package var bootIdentity: String? {
    contents("/proc/sys/kernel/random/boot_id", limit: 128).flatMap {
      String(validating: $0, as: UTF8.self)
    }
  }
}
