// swift-tools-version: 5.9
import PackageDescription

// A dependency of the program that depends on OpenCombine as well, with the other spelling of its address.
let package = Package(
  name: "Second",
  platforms: [.macOS("15.0")],
  products: [.library(name: "Second", targets: ["Second"])],
  dependencies: [.package(url: "https://github.com/OpenCombine/OpenCombine.git", from: "0.14.0")],
  targets: [
    .target(name: "Second", dependencies: [.product(name: "OpenCombineShim", package: "OpenCombine")])
  ]
)
