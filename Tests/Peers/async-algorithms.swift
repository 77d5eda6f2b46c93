// Scripts/peers adds this to the manifest of swift-async-algorithms.
for target in package.targets where target.name == "AsyncAlgorithmsTests" {
  target.dependencies.append("Combine")
  target.exclude = ["Performance"]
}
package.targets.removeAll { $0.name.hasPrefix("AsyncStreaming") }
package.products.removeAll { $0.name.hasPrefix("AsyncStreaming") }
