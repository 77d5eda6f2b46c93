// Scripts/peers adds this to the manifests of suites that are packages: a module that has only this library in it.
package.dependencies.append(.package(name: "Streams", path: "../../../.."))
package.targets.append(
  .target(
    name: "Combine",
    dependencies: [
      .product(name: "Streams", package: "Streams"), .product(name: "StreamsFoundation", package: "Streams"),
    ]))
