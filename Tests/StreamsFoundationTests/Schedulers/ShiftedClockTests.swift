#if os(Linux)
  import Foundation
  import Testing

  /// In a process of its own, whose wall clock alone is set: see `Tests/ShiftedClock`.
  @Suite("Wall clock changes", .timeLimit(.minutes(2)))
  struct ShiftedClockTests {
    @Test("Schedulers and timers keep their intervals when the wall clock is changed")
    func intervals() throws {
      let process = Process()
      // Built into the same folder as the tests.
      let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      process.executableURL = tests.deletingLastPathComponent().appending(path: "ShiftedClock")
      let pipe = Pipe()
      process.standardOutput = pipe
      try process.run()
      let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()

      var seconds: [String: Double] = [:]
      for line in output.split(separator: "\n") {
        let fields = line.split(separator: "\t")
        seconds[String(fields[0])] = Double(fields[1])
      }
      let moved = seconds.removeValue(forKey: "wall clock") ?? 0

      #expect(process.terminationStatus == 0)
      #expect(moved > 86_000)
      #expect(seconds.count == 7)
      // Early, if a scheduler followed the clock forward; a day later, if it followed it back.
      #expect(seconds.filter { $0.value < 1.15 || $0.value > 60 } == [:])
    }
  }
#endif
