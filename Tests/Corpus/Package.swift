// swift-tools-version: 6.2
import PackageDescription

/// The main package's own settings.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// What the main package's modules call their package, which the compiler asks of whoever uses what
/// they keep to themselves: the name of its folder, as the package manager spells it.
let mainPackage = String(
  (Context.packageDirectory.split(separator: "/").dropLast(2).last?.lowercased() ?? "").enumerated()
    .map { $1.isASCII && ($1.isLetter || $1.isNumber && $0 > 0) ? $1 : "_" })

/// Settings of a target that uses what the main package keeps to itself.
let inside: [SwiftSetting] = strict + [.unsafeFlags(["-package-name", mainPackage])]

// A package of its own, so that the main build stays quick.
let package = Package(
  name: "passage-corpus",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "passage", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    // Checks a folder of foreign models, mapping models and stores.
    .executableTarget(
      name: "passage-corpus",
      dependencies: [
        "CorpusPolicies",
        .product(name: "Passage", package: "passage"),
        .product(name: "PassageTesting", package: "passage"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/PassageCorpus", packageAccess: false, swiftSettings: inside),
    // What the mapping models there ask of the program that runs them.
    .target(
      name: "CorpusPolicies", dependencies: [.product(name: "Passage", package: "passage")],
      path: "Sources/CorpusPolicies", swiftSettings: strict),
    // The command line with those policies, for damaged stores: a process of its own may end badly.
    .executableTarget(
      name: "corpus-migrate",
      dependencies: [
        "CorpusPolicies", .product(name: "PassageCommands", package: "passage"),
      ],
      path: "Sources/CorpusMigrate", swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
