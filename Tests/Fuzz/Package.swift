// swift-tools-version: 6.2
import PackageDescription

/// What the main package's modules call their package, which the compiler asks of whoever uses what
/// they keep to themselves: the name of its folder, as the package manager spells it.
let mainPackage = String(
  (Context.packageDirectory.split(separator: "/").dropLast(2).last?.lowercased() ?? "").enumerated()
    .map { $1.isASCII && ($1.isLetter || $1.isNumber && $0 > 0) ? $1 : "_" })

/// One executable for each reader of foreign bytes. libFuzzer brings the main function.
func fuzzer(_ name: String) -> Target {
  .executableTarget(
    name: name, dependencies: [.product(name: "Passage", package: "passage")],
    packageAccess: false,
    swiftSettings: [.unsafeFlags(["-parse-as-library", "-package-name", mainPackage])])
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
