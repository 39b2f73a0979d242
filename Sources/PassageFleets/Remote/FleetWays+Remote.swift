internal import PassageModels

extension FleetWays {
  /// Identifies the version to reach, in 16 hexadecimal digits; `nil` if it is not known.
  var versionMark: String? {
    target.map { target in
      var digest = ContentDigest()
      digest.add("passage version 1")
      digest.add(target.versionChecksum)
      return String(digest.text.prefix(16))
    }
  }
}
