// swift-tools-version: 6.1
import PackageDescription

// The peers, and so the network, are in a package of their own: Peers.

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Streams", path: "..")],
  targets: [
    // Gates.
    .executableTarget(
      name: "SpeedFloors",
      dependencies: [
        .product(name: "Streams", package: "Streams"), .product(name: "StreamsExtras", package: "Streams"),
      ]),
    .executableTarget(name: "DeepChains", dependencies: [.product(name: "Streams", package: "Streams")]),
    .target(name: "Chains", dependencies: [.product(name: "Streams", package: "Streams")]),
    .executableTarget(
      name: "Stress",
      dependencies: [
        .product(name: "Streams", package: "Streams"),
        .product(name: "StreamsFoundation", package: "Streams"),
      ]),

    // Figures.
    .executableTarget(
      name: "StreamsRows",
      dependencies: [
        .product(name: "Streams", package: "Streams"),
        .product(name: "StreamsFoundation", package: "Streams"),
      ]),
    .executableTarget(
      name: "Timelines",
      dependencies: [
        .product(name: "Streams", package: "Streams"), .product(name: "StreamsExtras", package: "Streams"),
        .product(name: "StreamsInspector", package: "Streams"),
      ]),
    .executableTarget(name: "Limits"),
    .executableTarget(
      name: "Loading", dependencies: ["RawCurl", .product(name: "StreamImages", package: "Streams")]),
    .executableTarget(
      name: "Network", dependencies: [.product(name: "StreamImages", package: "Streams")]),
    .executableTarget(name: "Relay"),
    .executableTarget(
      name: "Walk",
      dependencies: [
        .product(name: "StreamImages", package: "Streams"),
        .product(name: "StreamsFoundation", package: "Streams"),
      ]),
    .executableTarget(
      name: "Worker",
      dependencies: [
        .product(name: "StreamImages", package: "Streams"),
        .product(name: "StreamsExtras", package: "Streams"),
      ]),
    .target(name: "RawCurl", linkerSettings: [.linkedLibrary("curl")]),
    .executableTarget(
      name: "Disk", dependencies: ["RawDisk", .product(name: "StreamImages", package: "Streams")]),
    .target(name: "RawDisk"),
    .executableTarget(
      name: "Thumbnails", dependencies: [.product(name: "ImageCodecs", package: "Streams")]),
    .executableTarget(
      name: "RawThumbnails",
      linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("webp"), .linkedLibrary("zimg")]),
    .executableTarget(
      name: "GalleryMemory", dependencies: [.product(name: "StreamImages", package: "Streams")]),
    .executableTarget(
      name: "Growth",
      dependencies: [
        .product(name: "Streams", package: "Streams"),
        .product(name: "StreamsExtras", package: "Streams"),
        .product(name: "StreamsFoundation", package: "Streams"),
      ]),
    .executableTarget(
      name: "RequestGrowth", dependencies: [.product(name: "StreamImages", package: "Streams")]),
  ],
  swiftLanguageModes: [.v6]
)
