// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the main build stays quick.
let package = Package(
  name: "passage-campaign",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "passage", path: "../..")],
  targets: [
    // What an app does when it calls the library, as a program that can be attacked.
    .executableTarget(
      name: "campaign-library",
      dependencies: [.product(name: "Passage", package: "passage")],
      path: "Sources",
      swiftSettings: [
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
