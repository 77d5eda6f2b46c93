import Foundation
import Testing

/// Not what the scripts do, which takes minutes, but that they are there, start, and explain themselves.
@Suite("the scripts")
struct ScriptTests {
  static let programs = Repository.texts.map(\.path).filter {
    FileManager.default.isExecutableFile(atPath: Repository.root.appending(path: $0).path)
  }

  @Test(
    "Every script prints its help and does nothing else, from any folder and by any path", arguments: programs
  )
  func help(path: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "help-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let link = folder.appending(path: "link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: Repository.root)
    let name = path.split(separator: "/").last.map(String.init) ?? path
    // The folder to call it from, and how it is named there.
    let calls = [
      (Repository.root, path),
      (Repository.root.appending(path: path).deletingLastPathComponent(), "./\(name)"),
      (folder, "link/\(path)"),
      (folder, Repository.root.appending(path: path).path),
    ]

    for (place, call) in calls {
      for option in ["--help", "-h"] {
        let result = try run("/bin/sh", "-c", "exec \"$0\" \(option)", call, in: place)

        #expect(result.status == 0, "\(call) in \(place.path)")
        #expect(result.output.hasPrefix(path), "\(call) in \(place.path)")
        #expect(result.output.split(separator: "\n").count > 1, "\(call) in \(place.path)")
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["link"])
  }

  @Test("that set up say what a bare machine lacks, and why, without touching it")
  func dryRun() throws {
    let result = try run("Scripts/setup", "--dry-run", environment: ["SETUP_ROOT": "/nowhere"])

    let lines = result.output.split(separator: "\n")
    #expect(result.status == 0)
    let count = lines.count - 1
    #expect(count > 0)
    #expect(lines.dropLast().allSatisfy { $0.contains(" is missing, for ") })
    #expect(lines.last?.hasPrefix("setup: 0 of \(count) there, \(count) to install") == true)
  }

  @Test("install nothing where everything is there")
  func installed() throws {
    let result = try run("Scripts/setup", "--dry-run")

    #expect(result.status == 0)
    #expect(result.output.contains(/^setup: (\d+) of \1 there, 0 installed/))
  }

  @Test(
    "refuse options that they do not know",
    arguments: ["setup", "format", "sanitize", "fuzz", "docs", "words", "newcomer", "gallery"])
  func unknown(name: String) throws {
    let result = try run("Scripts/\(name)", "--no-such-option")

    #expect(result.status == 2)
  }

  @Test("say where the threads of tests that hang stand, and fail at once")
  func stall() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "stall-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let swift = folder.appending(path: "swift")
    // In place of `swift test`: a test is begun, in a process of its own, and goes on for ever.
    try #"""
    #!/bin/sh
    echo "begun" >>"$(dirname "$0")/runs"
    echo '◇ Test "waits for ever" started.'
    sleep 600
    """#.write(to: swift, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: swift.path)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""

    let result = try run(
      "Scripts/test", "--skip-build", "--stall", "2", "--scratch", folder.path,
      environment: ["PATH": "\(folder.path):\(path)"])

    let runs = try String(contentsOf: folder.appending(path: "runs"), encoding: .utf8)
    let lines = result.output.split(separator: "\n")
    #expect(result.status == 1)
    #expect(runs == "begun\n")
    #expect(lines.contains { $0.hasPrefix("Process ") && $0.contains("sleep 600") })
    #expect(lines.contains { $0.hasPrefix("  thread ") && $0.contains(", sleep: State:") })
    #expect(lines.contains { $0.contains("nothing happened for 2 s after") && $0.contains("waits for ever") })
    #expect(lines.last?.hasPrefix("tests: 0 passed, 1 failed") == true)
  }

  private func run(
    _ path: String, _ arguments: String..., environment: [String: String] = [:],
    in folder: URL = Repository.root
  ) throws -> (status: Int32, output: String) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: path, relativeTo: Repository.root)
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
