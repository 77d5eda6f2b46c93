// swift-tools-version: 5.9
import PackageDescription

// As a package is that knows nothing of Streams. `Scripts/opencombine --check` copies it, and sets the mirror.
let package = Package(
  name: "Dependent",
  platforms: [.macOS("15.0")],
  dependencies: [
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    .package(path: "Second"),
  ],
  targets: [
    .executableTarget(
      name: "Program",
      dependencies: [
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineDispatch", package: "OpenCombine"),
        .product(name: "OpenCombineFoundation", package: "OpenCombine"),
        .product(name: "Second", package: "Second"),
      ])
  ]
)
