// swift-tools-version: 6.1
import PackageDescription

// OpenCombine's products, over Streams. `Scripts/opencombine` writes it out as a repository of its own, with another
// dependency in the line below: a mirror has to be one.
let package = Package(
  name: "OpenCombine",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "OpenCombine", targets: ["OpenCombine"]),
    .library(name: "OpenCombineDispatch", targets: ["OpenCombineDispatch"]),
    .library(name: "OpenCombineFoundation", targets: ["OpenCombineFoundation"]),
    .library(name: "OpenCombineShim", targets: ["OpenCombineShim"]),
  ],
  dependencies: [
    .package(name: "Streams", path: "../..")
  ],
  targets: [
    .target(name: "OpenCombine", dependencies: [.product(name: "Streams", package: "Streams")]),
    .target(
      name: "OpenCombineDispatch",
      dependencies: ["OpenCombine", .product(name: "StreamsFoundation", package: "Streams")]),
    .target(
      name: "OpenCombineFoundation",
      dependencies: ["OpenCombine", .product(name: "StreamsFoundation", package: "Streams")]),
    .target(
      name: "OpenCombineShim", dependencies: ["OpenCombine", "OpenCombineDispatch", "OpenCombineFoundation"]),
  ],
  swiftLanguageModes: [.v6]
)
