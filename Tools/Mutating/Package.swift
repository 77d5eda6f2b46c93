// swift-tools-version: 6.1
import PackageDescription

// `Scripts/mutate` builds `Mutate`, and `Scripts/explore` `InsertBug`. `Switches` is what the former puts into the sources that
// it mutates, and is built there.
let package = Package(
  name: "Mutating",
  platforms: [.macOS(.v15)],
  targets: [
    .executableTarget(name: "Mutate", dependencies: ["Mutations"]),
    .executableTarget(name: "InsertBug", dependencies: ["Mutations"]),
    .target(name: "Mutations"),
  ],
  swiftLanguageModes: [.v6]
)
