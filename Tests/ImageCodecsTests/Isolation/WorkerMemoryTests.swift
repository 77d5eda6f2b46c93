#if os(Linux)
  import Foundation
  import ImageCodecs
  import TestSupport
  import Testing

  extension IsolationTests {
    @Suite("Memory of workers")
    struct WorkerMemoryTests {
      /// The address space of the largest process of the worker, in bytes.
      private func space(_ worker: NamedWorker) -> Int {
        Workers.processes(worker.name).compactMap { process in
          // It may end meanwhile.
          guard let text = processFile("statm", of: process) else { return nil }
          return (Int(text.split(separator: " ")[0]) ?? 0) * Int(getpagesize())
        }.max() ?? 0
      }

      @Test(
        "A worker unmaps the file and the pixels of each request",
        .enabled(if: !isSanitized, "a sanitizer takes memory of its own, and much of it"),
        arguments: Request.allCases)
      func unmapping(_ request: Request) throws {
        let worker = try NamedWorker()
        let decoder = IsolatedImageDecoder(worker.settings)
        let padding = [UInt8](repeating: 0, count: 4 << 20)
        for _ in 0..<4 { try request.run(decoder, padding) }
        let before = space(worker)

        for _ in 0..<24 { try request.run(decoder, padding) }

        #expect(before > 0)
        #expect(space(worker) - before < 32 << 20)
      }

      enum Request: CaseIterable {
        case info, decode, decodeAvailable, thumbnail, animation

        /// - Parameter padding: Follows the file.
        func run(_ decoder: IsolatedImageDecoder, _ padding: [UInt8]) throws {
          let file = try Files.bytes("picture.png") + padding
          switch self {
          case .info: _ = try decoder.info(of: file)
          case .decode: _ = try decoder.decode(file)
          case .decodeAvailable: _ = try decoder.decodeAvailable(file)
          case .thumbnail:
            try (Files.bytes("baseline.jpg") + padding).withUnsafeBytes {
              _ = try decoder.embeddedThumbnail(of: $0)
            }
          case .animation:
            let animation = try decoder.animation(Files.bytes("disposed.gif") + padding)
            while try animation.next() != nil {}
            // The worker of an animation is ended if it takes too long to close it.
            _ = try decoder.info(of: file)
          }
        }
      }
    }
  }
#endif
