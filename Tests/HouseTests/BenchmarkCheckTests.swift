import Foundation
import Testing

/// What `Scripts/benchmark --check` says of a baseline and of figures from now, without the minutes that counting takes.
@Suite("Benchmark check")
struct BenchmarkCheckTests {
  static let baseline = ["a1": 40.0, "b0": 150.0, "c01": 2000.0]

  @Test("The benchmark check passes for equal figures and for a tenth more")
  func holds() throws {
    let same = try check(Self.baseline)
    let tenth = try check(Self.baseline.mapValues { $0 * 1.1 })

    #expect(same.status == 0)
    #expect(same.output.hasPrefix("benchmark: 3 rows held, 0 slower, 0 not in both"))
    #expect(tenth.status == 0)
  }

  @Test(
    "The benchmark check fails and names the row when one row costs more", arguments: baseline.keys.sorted())
  func fails(row: String) throws {
    var now = Self.baseline
    now[row]! *= 1.15

    let result = try check(now)

    #expect(result.status == 1)
    #expect(result.output.contains("SLOW  \(row) "))
    #expect(result.output.contains("benchmark: 2 rows held, 1 slower, 0 not in both"))
  }

  @Test("The benchmark check fails if a row is missing or new")
  func differs() throws {
    var (fewer, more) = (Self.baseline, Self.baseline)
    fewer["b0"] = nil
    more["d1"] = 1

    let (gone, new) = (try check(fewer), try check(more))

    #expect(gone.status == 1)
    #expect(gone.output.contains("gone  b0"))
    #expect(new.status == 1)
    #expect(new.output.contains("new   d1"))
  }

  @Test("The benchmark check reports cheaper rows and passes")
  func cheaper() throws {
    var now = Self.baseline
    now["a1"] = 20

    let result = try check(now)

    #expect(result.status == 0)
    #expect(result.output.contains("fast  a1"))
    #expect(result.output.contains("Scripts/benchmark --update"))
  }

  private func check(_ now: [String: Double]) throws -> (status: Int32, output: String) {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = try [("baseline", Self.baseline), ("now", now)].map { name, rows in
      let file = folder.appending(path: name)
      let lines = rows.sorted { $0.key < $1.key }.map { "\($0.key)\t\($0.value)\n" }
      try Data(lines.joined().utf8).write(to: file)
      return file.path
    }
    let tool = Repository.root.appending(path: "Benchmarks/Tools/check.awk").path
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["awk", "-F", "\t", "-v", "seconds=0", "-f", tool] + files
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, output)
  }
}
