// swift-tools-version: 6.1
import PackageDescription

// `Scripts/mutate` builds this. `Switches` is what it puts into the sources that it mutates, and is built there.
let package = Package(
  name: "Mutating",
  platforms: [.macOS(.v15)],
  targets: [
    .executableTarget(name: "Mutate", dependencies: ["Mutations"]),
    .target(name: "Mutations"),
  ],
  swiftLanguageModes: [.v6]
)
