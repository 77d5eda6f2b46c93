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
        let end = ContinuousClock.now + .seconds(60)
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
    }
  }
#endif
