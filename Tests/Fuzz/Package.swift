// swift-tools-version: 6.2
import PackageDescription

/// One executable for each reader of foreign bytes. libFuzzer brings the main function.
func fuzzer(_ name: String) -> Target {
  .executableTarget(
    name: name, dependencies: [.product(name: "Passage", package: "passage")],
    swiftSettings: [.unsafeFlags(["-parse-as-library"])])
}

let package = Package(
  name: "passage-fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "passage", path: "../..")],
  targets: [
    fuzzer("FuzzModel"), fuzzer("FuzzMapping"), fuzzer("FuzzPredicate"),
    fuzzer("FuzzPropertyList"), fuzzer("FuzzArchive"), fuzzer("FuzzXcodeMapping"),
    fuzzer("FuzzAtomicStore"),
    fuzzer("FuzzXcodeModel"),
  ],
  swiftLanguageModes: [.v6]
)
