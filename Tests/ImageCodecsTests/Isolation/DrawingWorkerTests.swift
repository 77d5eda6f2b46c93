#if os(Linux)
  import Foundation
  import ImageCodecs
  import Testing

  extension IsolationTests {
    @Suite("Workers of renderers", .enabled(if: Drawing.isPossible, "librsvg is not there"))
    struct DrawingWorkerTests {
      @Test("Renderers share a worker if they are started in the same way, and have the same memory")
      func sharing() throws {
        let (worker, other) = (try NamedWorker(), try NamedWorker())
        let document = Drawing.document("<rect width='9' height='9'/>")
        func draw(_ settings: WorkerSettings, maximumPixels: Int = 1_000_000) throws -> [Int] {
          var options = DecodingOptions()
          options.limits.maximumPixels = maximumPixels
          let image = try Drawing.image(document, options: options) { $0.isolation = .process(settings) }
          #expect(image == (try Drawing.imageHere(document)))
          return [Workers.processes(worker.name).count, Workers.processes(other.name).count]
        }

        for _ in 0..<2 { #expect(try draw(worker.settings) == [1, 0]) }
        // What needs no memory needs no other worker.
        #expect(try draw(worker.settings, maximumPixels: 1_000) == [1, 0])
        for _ in 0..<2 { #expect(try draw(other.settings) == [1, 1]) }
      }

      @Test("The memory of a renderer's worker depends on all limits of bytes, and on no others")
      func memory() {
        let bytes: [WritableKeyPath<DecodingLimits, Int>] = [
          \.maximumEncodedBytes, \.maximumDecodedBytes, \.maximumWorkingBytes, \.maximumMetadataBytes,
        ]
        var (limits, expected) = (DecodingLimits(), DecodingLimits())
        for (number, path) in bytes.enumerated() {
          limits[keyPath: path] = 1_000 + number
          expected[keyPath: path] = 1_000 + number
        }
        (limits.maximumPixels, limits.maximumFrames, limits.maximumSide) = (1, 2, 3)
        (limits.deadline, limits.oversize) = (.seconds(1), .downscale)
        #expect(WorkerProbe.drawingMemory(limits) == expected)
      }

      @Test("The size that a worker measures follows the limits of its renderer")
      func measuring() throws {
        var renderer = try SVGRenderer()
        renderer.defaultSize = PixelSize(width: 31, height: 17)
        let document = Array(#"<svg xmlns="http://www.w3.org/2000/svg"/>"#.utf8)
        for isolation in [DecodingIsolation.none, .process()] {
          renderer.isolation = isolation
          #expect(
            try document.withUnsafeBytes { try renderer.size(of: $0) } == PixelSize(width: 31, height: 17))
        }
      }

      @Test(
        "A worker draws within the painted pixels of its renderer",
        arguments: [DecodingIsolation.none, .process()])
      func painting(isolation: DecodingIsolation) throws {
        let document = Drawing.document("<rect/><rect/>")
        for (most, isDrawn) in [(1_000, true), (100, false), (0, false)] {
          let result = Result {
            try Drawing.image(document) { ($0.isolation, $0.maximumPaintedPixels) = (isolation, most) }
          }
          switch result {
          case .success: #expect(isDrawn, "\(most)")
          case .failure(let error):
            #expect(error as? ImageCodecError == .limitExceeded(.elements(most / 100)) && !isDrawn)
          }
        }
      }
    }
  }
#endif
