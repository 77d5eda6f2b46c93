import Foundation
import Testing

/// Not what the scripts do, which takes minutes, but that they are there, start, and explain themselves.
@Suite("Scripts")
struct ScriptTests {
  /// Those whose interpreter is installed: a system that builds Streams may lack Python.
  static let programs = Repository.texts.filter { file in
    FileManager.default.isExecutableFile(atPath: Repository.root.appending(path: file.path).path)
      && (!file.lines[0].hasSuffix("python3") || hasPython)
  }.map(\.path)
  private static let hasPython = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .contains { FileManager.default.isExecutableFile(atPath: "\($0)/python3") }

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
        let result = try Repository.run("/bin/sh", ["-c", "exec \"$0\" \(option)", call], in: place)

        #expect(result.status == 0, "\(call) in \(place.path)")
        #expect(result.output.hasPrefix(path), "\(call) in \(place.path)")
        #expect(result.output.split(separator: "\n").count > 1, "\(call) in \(place.path)")
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["link"])
  }

  @Test("`Scripts/setup --dry-run` lists missing packages with their purpose")
  func dryRun() throws {
    let result = try Repository.run("Scripts/setup", ["--dry-run"], environment: ["SETUP_ROOT": "/nowhere"])

    let lines = result.output.split(separator: "\n")
    #expect(result.status == 0)
    let count = lines.count - 1
    #expect(count > 0)
    #expect(lines.dropLast().allSatisfy { $0.contains(" is missing, for ") })
    #expect(lines.last?.hasPrefix("setup: 0 of \(count) there, \(count) to install") == true)
  }

  @Test("`Scripts/setup` requires the HEIC encoder where libheif has separate plug-ins")
  func plugins() throws {
    let system = FileManager.default.temporaryDirectory.appending(path: "system-\(UUID())")
    defer { try? FileManager.default.removeItem(at: system) }
    let plugins = system.appending(path: "usr/lib/x86_64-linux-gnu/libheif/plugins")
    let header = system.appending(path: "usr/include/libheif/heif.h")
    let create = { (file: URL) in
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: file)
    }
    let lacksEncoder = {
      try Repository.run("Scripts/setup", ["--dry-run"], environment: ["SETUP_ROOT": system.path]).output
        .contains(": libheif-plugin-x265 is missing, for ")
    }

    try create(header)
    #expect(try !lacksEncoder())

    try create(plugins.appending(path: "libheif-libde265.so"))
    #expect(try lacksEncoder())

    try create(plugins.appending(path: "libheif-x265.so"))
    #expect(try !lacksEncoder())
  }

  @Test("`Scripts/setup` installs nothing if all packages are present")
  func installed() throws {
    let result = try Repository.run("Scripts/setup", ["--dry-run"])

    #expect(result.status == 0)
    #expect(result.output.contains(/^setup: (\d+) of \1 there, 0 installed/))
  }

  @Test(
    "A script refuses an unknown option with status 2",
    arguments: ["setup", "format", "sanitize", "fuzz", "docs", "newcomer", "gallery", "matrix"])
  func unknown(name: String) throws {
    let result = try Repository.run("Scripts/\(name)", ["--no-such-option"])

    #expect(result.status == 2)
  }

  /// In place of a program of the system, what a machine has that lacks something.
  static let lacking = [
    (["id": "echo 1000"], "it needs root"),
    (
      ["id": "echo 0", "debootstrap": "exit 1", "unshare": "exit 1"],
      "this machine does not allow namespaces and mounts"
    ),
    (
      [
        "id": "echo 0",
        "unshare": "while [ $# -gt 1 ] && [ $1 != private ]; do shift; done; shift; exec \"$@\"",
        "mount": "exit 0", "debootstrap": "exit 1", "qemu-x86_64-static": "exit 0",
      ],
      "debian13 cannot be made here"
    ),
  ]

  @Test(
    "`Scripts/matrix` names a system it cannot create and exits with status 77",
    arguments: lacking)
  func skips(programs: [String: String], reason: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "lacking-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try replace(programs, in: folder)

    let result = try Repository.run(
      "Scripts/matrix", ["debian13"],
      environment: ["STREAMS_MATRIX": folder.appending(path: "systems").path, "PATH": path(after: folder)])

    #expect(result.status == 77)
    #expect(result.output.contains("matrix: skipped debian13, since \(reason)"))
  }

  /// Programs that scripts find before those of the system.
  private func replace(_ programs: [String: String], in folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, script) in programs {
      let program = folder.appending(path: name)
      try "#!/bin/sh\n\(script)".write(to: program, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
    }
  }

  private func path(after folder: URL) -> String {
    "\(folder.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
  }

  @Test("`Scripts/test` counts a crash as a failure and shows the last lines")
  func crash() throws {
    let result = try testing(
      #"""
      echo '◇ Test "overwrites its stack" started.'
      while [ $# -gt 0 ]; do [ "$1" != --xunit-output ] || echo '<testsuites></testsuites>' >"$2"; shift; done
      exit 1
      """#, "--filter", ".")

    let lines = result.output.split(separator: "\n")
    #expect(result.status == 1)
    #expect(lines.contains { $0.contains("overwrites its stack") })
    #expect(lines.last?.hasPrefix("tests: 0 passed, 1 failed") == true)
  }

  @Test(
    "`Scripts/test` counts the tests of both of its processes when one of them crashes",
    .enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1))
  func halves() throws {
    let result = try testing(
      #"""
      crashes=true results=
      for word; do
        [ "$results" != next ] || results=$word
        case $word in --skip) crashes=false ;; --xunit-output) results=next ;; esac
      done
      ! $crashes || exit 1
      printf '<testcase name="a"/>\n<testcase name="b"/>\n' >"$results"
      """#)

    #expect(result.status == 1)
    #expect(result.output.split(separator: "\n").last?.hasPrefix("tests: 2 passed, 1 failed") == true)
  }

  /// Runs `Scripts/test` with a script in place of `swift test`.
  private func testing(_ script: String, _ options: String...) throws -> (status: Int32, output: String) {
    let folder = FileManager.default.temporaryDirectory.appending(path: "testing-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try replace(["swift": script], in: folder)
    return try Repository.run(
      "Scripts/test", ["--skip-build", "--scratch", folder.path] + options,
      environment: ["PATH": path(after: folder), "STREAMS_TESTS": ""])
  }

  @Test("`Scripts/test` prints the threads of stalled tests and fails")
  func stall() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "stall-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    // In place of `swift test`: a test is begun, in a process of its own, and goes on for ever.
    let script = #"""
      echo "begun" >>"$(dirname "$0")/runs"
      echo '◇ Test "waits for ever" started.'
      sleep 600
      """#
    try replace(["swift": script], in: folder)

    let result = try Repository.run(
      "Scripts/test", ["--skip-build", "--stall", "6", "--scratch", folder.path, "--filter", "."],
      environment: ["PATH": path(after: folder)])

    let runs = try String(contentsOf: folder.appending(path: "runs"), encoding: .utf8)
    let lines = result.output.split(separator: "\n")
    #expect(result.status == 1)
    #expect(runs == "begun\n")
    #expect(lines.contains { $0.hasPrefix("Process ") && $0.contains("sleep 600") })
    #expect(lines.contains { $0.hasPrefix("  thread ") && $0.contains(", sleep: State:") })
    #expect(lines.contains { $0.contains("nothing happened for 6 s after") && $0.contains("waits for ever") })
    #expect(lines.last?.hasPrefix("tests: 0 passed, 1 failed") == true)
  }
}
