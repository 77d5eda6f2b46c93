// swift-tools-version: 6.1
import PackageDescription

// A package of its own, as that of a user would be: it sees what Streams makes public, and nothing else. The
// repository's package builds the same sources, so that its tests run them.

let package = Package(
  name: "FarOutPhotos",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Streams", path: "../..")],
  targets: [
    .executableTarget(
      name: "FarOutPhotos",
      dependencies: [
        .product(name: "StreamImages", package: "Streams"),
        .product(name: "StreamsExtras", package: "Streams"),
      ],
      resources: [.copy("Page")],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
