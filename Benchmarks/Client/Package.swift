// swift-tools-version: 6.1
import PackageDescription

// An application of usual size, over this library, or over OpenCombine if CLIENT_LIBRARY is `opencombine`: the
// files are the same. It is a package of its own, so that a clean build of it builds what a program builds that
// adopts the library.

let usesOpenCombine = Context.environment["CLIENT_LIBRARY"] == "opencombine"

let dependency: Package.Dependency =
  usesOpenCombine
  ? .package(url: "https://github.com/OpenCombine/OpenCombine.git", exact: "0.14.0")
  : .package(name: "Streams", path: "../..")

let core: Target.Dependency =
  usesOpenCombine
  ? .product(name: "OpenCombine", package: "OpenCombine") : .product(name: "Streams", package: "Streams")

let foundation: [Target.Dependency] =
  usesOpenCombine
  ? [
    .product(name: "OpenCombineDispatch", package: "OpenCombine"),
    .product(name: "OpenCombineFoundation", package: "OpenCombine"),
  ] : [.product(name: "StreamsFoundation", package: "Streams")]

let settings: [SwiftSetting] = usesOpenCombine ? [.define("OPENCOMBINE")] : []

let package = Package(
  name: "Client",
  platforms: [.macOS(.v15)],
  dependencies: [dependency],
  targets: [
    .executableTarget(name: "Client", dependencies: [core] + foundation, swiftSettings: settings),
    .executableTarget(name: "Hello", dependencies: [core], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
