// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Streams", path: "..")],
  targets: [
    .executableTarget(name: "SpeedFloors", dependencies: [.product(name: "Streams", package: "Streams")]),
    .executableTarget(name: "DeepChains", dependencies: [.product(name: "Streams", package: "Streams")]),
    .executableTarget(
      name: "Stress",
      dependencies: [
        .product(name: "Streams", package: "Streams"), .product(name: "StreamsFoundation", package: "Streams"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
