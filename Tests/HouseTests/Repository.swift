import Foundation

/// The files of this repository, as they lie on disk.
enum Repository {
  static let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Every file of text, except what builds leave behind.
  static let texts: [TextFile] = files.compactMap { TextFile(path: $0) }

  static let swift = texts.filter { $0.path.hasSuffix(".swift") }
  static let sources = swift.filter { $0.path.hasPrefix("Sources/") }
  static let guides = texts.filter {
    $0.path == "README.md" || $0.path.isIn("Docs") && $0.path.hasSuffix(".md")
  }

  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appending(path: path).path(percentEncoded: false))
  }

  private static var files: [String] {
    let left: Set = [".git", ".swiftpm", "Output"]
    let base = root.path(percentEncoded: false)
    guard let walk = FileManager.default.enumerator(atPath: base) else { return [] }
    var files: [String] = []
    while let path = walk.nextObject() as? String {
      let name = (path as NSString).lastPathComponent
      if left.contains(name) || name.hasPrefix(".build") {
        walk.skipDescendants()
      } else if walk.fileAttributes?[.type] as? FileAttributeType == .typeRegular {
        files.append(path)
      }
    }
    return files.sorted()
  }

  /// Runs a program of this repository, and returns what it prints.
  static func run(
    _ path: String, _ arguments: [String], environment: [String: String] = [:],
    in folder: URL = root
  ) throws -> (status: Int32, output: String) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: path, relativeTo: root)
    process.currentDirectoryURL = folder
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, output)
  }
}

/// A file and its lines.
struct TextFile: Sendable {
  let path: String
  let text: String
  let lines: [String]

  /// `nil` if it holds no text.
  init?(path: String) {
    guard let data = try? Data(contentsOf: Repository.root.appending(path: path)), !data.contains(0),
      let text = String(data: data, encoding: .utf8)
    else { return nil }
    self.path = path
    self.text = text
    lines = text.components(separatedBy: "\n")
  }

  /// The lines that `isMeant` picks, as `path:number: line`.
  func places(where isMeant: (String) -> Bool) -> [String] {
    lines.indices.filter { isMeant(lines[$0]) }.map { place(of: $0) }
  }

  func place(of index: Int) -> String { "\(path):\(index + 1): \(lines[index].trimmed)" }

}

extension String {
  var trimmed: String { trimmingCharacters(in: .whitespaces) }

  /// The line without the comment at its end.
  var code: String { range(of: "//").map { String(self[..<$0.lowerBound]) } ?? self }

  func isIn(_ folder: String) -> Bool { hasPrefix(folder + "/") }
}
