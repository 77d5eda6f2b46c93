// swift-tools-version: 6.1
import PackageDescription

// A package of its own: the window comes from GTK, the images from StreamImages.

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "FarOutDesktop",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Streams", path: "../.."),
    .package(path: "../StreamsGTK"),
  ],
  targets: [
    .executableTarget(
      name: "FarOutDesktop",
      dependencies: [
        "CHeap",
        .product(name: "StreamImages", package: "Streams"),
        .product(name: "StreamsExtras", package: "Streams"),
        .product(name: "StreamsGTK", package: "StreamsGTK"),
        .product(name: "StreamsInspector", package: "Streams"),
      ],
      swiftSettings: settings),
    // Swift's module of glibc leaves out what is neither C's nor POSIX's.
    .target(name: "CHeap"),
    // The whole program of Docs/desktop.md.
    .executableTarget(
      name: "OneImage",
      dependencies: [
        .product(name: "StreamImages", package: "Streams"),
        .product(name: "StreamsGTK", package: "StreamsGTK"),
      ],
      swiftSettings: settings),
    // The browser of Docs/desktop.md.
    .executableTarget(
      name: "Pictures",
      dependencies: [
        .product(name: "StreamImages", package: "Streams"),
        .product(name: "StreamsExtras", package: "Streams"),
        .product(name: "StreamsGTK", package: "StreamsGTK"),
        .product(name: "StreamsGLib", package: "StreamsGTK"),
      ],
      swiftSettings: settings),
    // The origin of the images, in a process of its own. The server and the painter are those of FarOutPhotos, by links.
    .executableTarget(
      name: "FarOutOrigin",
      dependencies: [
        .product(name: "StreamImages", package: "Streams"),
        .product(name: "StreamsExtras", package: "Streams"),
      ],
      path: "Sources/Origin", swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
