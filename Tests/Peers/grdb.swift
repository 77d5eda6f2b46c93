// Scripts/peers adds this to the manifest of GRDB.
for target in package.targets where target.type != .system && target.name != "Combine" {
  target.dependencies.append("Combine")
}
for target in package.targets where target.name == "GRDBTests" {
  let files = [
    "DatabaseMigratorTests", "DatabaseRegionObservationTests", "GRDBTestCase", "Mutex",
    "SharedValueObservationTests",
    "ValueObservationRecorder", "ValueObservationTests",
  ]
  target.sources = ["CombineExpectations", "GRDBCombineTests"] + files.map { "GRDBTests/\($0).swift" }
}
