import Foundation

/// The files of all diagrams.
package enum Diagrams {
  private static let folder = Repository.root + "Sources/Streams/Streams.docc/Resources"

  static func files() throws -> [String: String] {
    try Diagram.all.reduce(into: [:]) { files, diagram in
      files.merge(try diagram.files()) { _, second in second }
    }
  }

  /// The names of files that are missing, differ from what the operators do now, or belong to no diagram.
  package static func changedFiles() throws -> [String] {
    let files = try files()
    let stored = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let orphans = stored.filter { $0.hasSuffix(".svg") && files[$0] == nil }
    let different = files.filter { name, text in
      (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) != text
    }
    return (orphans + different.keys).sorted()
  }

  static func write() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let files = try files()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder)
    where name.hasSuffix(".svg") && files[name] == nil {
      try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
    }
    for (name, text) in files { try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)")) }
  }
}

enum Repository {
  /// Where the package is, with a slash at the end.
  static let root = String(#filePath.prefix(#filePath.count - "Tests/Reference/Diagrams.swift".count))
}
