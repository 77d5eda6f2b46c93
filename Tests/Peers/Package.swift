// swift-tools-version: 6.1
import PackageDescription

// OpenCombine's tests, over a module with Combine's name that has only this library in it. Scripts/peers brings the tests.

let package = Package(
  name: "Peers",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Streams", path: "../..")],
  targets: [
    .target(
      name: "Combine",
      dependencies: [
        .product(name: "Streams", package: "Streams"),
        .product(name: "StreamsFoundation", package: "Streams"),
      ]),
    .testTarget(
      name: "OpenCombineTests", dependencies: ["Combine"], path: ".build/opencombine/Tests/OpenCombineTests",
      swiftSettings: [.define("OPENCOMBINE_COMPATIBILITY_TEST"), .swiftLanguageMode(.v5)]),
  ]
)
