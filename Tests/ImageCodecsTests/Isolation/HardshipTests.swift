#if os(Linux)
  import Foundation
  import ImageCodecs
  import Testing

  /// Programs to which the system refuses what workers need.
  extension IsolationTests {
    @Suite("Isolation without system resources")
    struct HardshipTests {
      /// What `HostileWorker` prints as a program of its own; nil if it does not end.
      private static func lines(_ words: [String]) throws -> [String]? {
        guard case .path(let path) = Workers.hostile.program else { return nil }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments = words
        process.standardOutput = output
        try process.run()
        let end = ContinuousClock.now + .seconds(600)
        while process.isRunning, ContinuousClock.now < end { sched_yield() }
        if process.isRunning {
          process.terminate()
          return nil
        }
        let text = try output.fileHandleForReading.readToEnd().map { String(decoding: $0, as: UTF8.self) }
        return text?.split(separator: "\n").map(String.init)
      }

      private static func path(_ file: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Files/\(file)").path
      }

      @Test("Decoding without free descriptors throws typed errors and recovers afterwards")
      func descriptors() throws {
        let amounts = (3...40).map(String.init) + ["256"]

        let found = try Self.lines([Self.path("picture.png"), "descriptors"] + amounts)
        let lines = try #require(found, "it does not end")

        #expect(lines.count == amounts.count * 2)
        #expect(lines.allSatisfy { $0.contains("right") || $0.contains("codec.") })
        #expect(lines.filter { $0.hasPrefix("256 ") }.allSatisfy { $0.contains("right") })
        #expect(lines.contains { $0.contains("there codec.isolation-unavailable.not-started") })
      }

      @Test(
        "Decoding without `clone3` gives an image or a typed error in time",
        arguments: ["picture.png", "picture.heic", "picture.avif"], [EPERM, ENOSYS])
      func threads(file: String, error: Int32) throws {
        let found = try Self.lines([Self.path(file), "clone3", "\(error)"])
        let lines = try #require(found, "it does not end")

        print("without clone3 (\(error)): \(lines)")
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { $0.contains("right") || $0.contains("codec.") })
        if error == ENOSYS { #expect(lines.allSatisfy { $0.contains("right") }) }
      }

      @Test(
        "An idle worker keeps memory for files of up to two megabytes, also in a program without standard input"
      )
      func kept() throws {
        let sizes = ["100000", "2097152", "2097153"]

        let found = try Self.lines([Self.path("picture.png"), "kept"] + sizes)

        // A channel, a pipe, and a handle; and the memory.
        let lines = ["100000: 4", "2097152: 4", "2097153: 3", "end: 0"]
        #expect(found == lines + lines)
      }

      @Test("A worker that cannot be started leaves the descriptors of the program as they are")
      func absent() throws {
        let programs = ["/nowhere/worker", "/bin/true", "/bin/cat"]
        let found = try Self.lines([Self.path("picture.png"), "absent"] + programs)
        #expect(found == programs.map { "\($0): 0" })
      }

      @Test("A request that finds no descriptor for its memory is an error of memory")
      func late() throws {
        let found = try Self.lines([Self.path("picture.png"), "late", "100000", "2097153"])
        #expect(found == Array(repeating: "codec.out-of-memory", count: 4))
      }
    }
  }
#endif
