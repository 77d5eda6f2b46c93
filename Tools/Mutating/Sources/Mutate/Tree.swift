import Foundation
import Mutations

/// The files of the repository, and the copy of them from which the explorer is built. Files that do not change keep
/// their time, so that only what has to is built again.
struct Tree {
  let root: String
  let folder: String
  let files: [String]

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  init(root: String) throws {
    self.root = root
    folder = "\(root)/.build-mutating/tree"
    let command = Command(
      arguments: ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], folder: root,
      environment: ProcessInfo.processInfo.environment)
    let outcome = try command.run()
    guard outcome.end == .exited(0) else { throw Failure(description: "git ls-files: \(outcome.output)") }
    let names = outcome.output.split(separator: "\0").map(String.init)
    files = names.filter { FileManager.default.fileExists(atPath: "\(root)/\($0)") }.sorted()
  }

  func original(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: "\(root)/\(path)"))
  }

  /// Makes the tree what the repository is, but for the given texts.
  func write(_ texts: [String: String]) throws {
    let wanted = Set(files)
    let old = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    for path in old where !wanted.contains(path) {
      var isFolder: ObjCBool = false
      let place = "\(folder)/\(path)"
      guard FileManager.default.fileExists(atPath: place, isDirectory: &isFolder), !isFolder.boolValue else {
        continue
      }
      try FileManager.default.removeItem(atPath: place)
    }
    for path in files {
      guard try !link(path) else { continue }
      var data = try texts[path].map { Data($0.utf8) } ?? original(path)
      if path == "Tests/Exploring/Package.swift" { data += Data(Plan.explorerAddendum.utf8) }
      let place = URL(fileURLWithPath: "\(folder)/\(path)")
      if let there = try? Data(contentsOf: place), there == data { continue }
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: place)
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(root)/\(path)")
      if let mode = attributes[.posixPermissions] {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: place.path)
      }
    }
  }

  /// - Returns: Whether it is a symbolic link, which the tree then has, too.
  private func link(_ path: String) throws -> Bool {
    let files = FileManager.default, place = "\(folder)/\(path)"
    guard let target = try? files.destinationOfSymbolicLink(atPath: "\(root)/\(path)") else { return false }
    if (try? files.destinationOfSymbolicLink(atPath: place)) == target { return true }
    try? files.removeItem(atPath: place)
    try files.createDirectory(
      at: URL(fileURLWithPath: place).deletingLastPathComponent(), withIntermediateDirectories: true)
    try files.createSymbolicLink(atPath: place, withDestinationPath: target)
    return true
  }
}
