// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Peers",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "https://github.com/OpenCombine/OpenCombine.git", exact: "0.14.0"),
    .package(url: "https://github.com/apple/swift-async-algorithms.git", exact: "1.1.4"),
  ],
  targets: [
    .executableTarget(
      name: "OpenCombineRows",
      dependencies: [
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineDispatch", package: "OpenCombine"),
      ],
      swiftSettings: [.define("OPENCOMBINE")]),
    .executableTarget(
      name: "AsyncRows",
      dependencies: [.product(name: "AsyncAlgorithms", package: "swift-async-algorithms")]),
  ],
  swiftLanguageModes: [.v6]
)
