import Foundation

/// The files of all diagrams. Each is in the catalogs of the modules whose comments show it.
package enum Diagrams {
  private static func folder(of module: String) -> String {
    "Sources/\(module)/\(module).docc/Resources"
  }

  /// The texts, by path within the repository.
  static func files() throws -> [String: String] {
    let comments = try Comment.all()
    return try Diagram.all.reduce(into: [:]) { files, diagram in
      let modules = Set(comments.filter { $0.images.contains("\(diagram.name).svg") }.map(\.module))
      for (name, text) in try diagram.files() {
        for module in modules { files["\(folder(of: module))/\(name)"] = text }
      }
    }
  }

  /// The files that are missing, differ from what the operators do now, or belong to no diagram.
  package static func changedFiles() throws -> [String] {
    let files = try files()
    let different = files.filter { path, text in
      (try? String(contentsOfFile: Repository.root + path, encoding: .utf8)) != text
    }
    return (orphans(among: files) + different.keys).sorted()
  }

  static func write() throws {
    let files = try files()
    for path in orphans(among: files) { try FileManager.default.removeItem(atPath: Repository.root + path) }
    for (path, text) in files { try Data(text.utf8).write(to: URL(filePath: Repository.root + path)) }
  }

  private static func orphans(among files: [String: String]) -> [String] {
    Comment.modules.flatMap { module in
      let stored = try? FileManager.default.contentsOfDirectory(atPath: Repository.root + folder(of: module))
      return (stored ?? []).map { "\(folder(of: module))/\($0)" }
    }.filter { $0.hasSuffix(".svg") && files[$0] == nil }
  }
}

enum Repository {
  /// Where the package is, with a slash at the end.
  static let root = String(#filePath.prefix(#filePath.count - "Tools/Reference/Diagrams.swift".count))
}
