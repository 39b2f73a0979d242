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
  name: "passage-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "passage", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    // Measures: starts every contender as a process of its own.
    .executableTarget(
      name: "passage-benchmarks",
      dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")],
      path: "Sources/PassageBenchmarks", swiftSettings: strict),
    // Is measured: the library in a process of its own, so that its peak memory is its own.
    .executableTarget(
      name: "benchmark-subject", dependencies: [.product(name: "Passage", package: "passage")],
      path: "Sources/BenchmarkSubject", packageAccess: false, swiftSettings: inside),
    // The expression language by itself, for predicates.sh.
    .executableTarget(
      name: "predicate-speed", dependencies: [.product(name: "Passage", package: "passage")],
      path: "Sources/PredicateSpeed", packageAccess: false, swiftSettings: inside),
    // What the row lane is compared with: step, bind, step in C.
    .executableTarget(
      name: "plain-loop", path: "Sources/PlainLoop",
      linkerSettings: [.linkedLibrary("sqlite3")]),
  ],
  swiftLanguageModes: [.v6]
)
