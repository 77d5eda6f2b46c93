#if os(Linux)
  import Foundation
  import ImageCodecs
  import Testing

  extension IsolationTests {
    @Suite("Exchanges with a worker")
    struct WorkerExchangeTests {
      private static let (kind, number, inputCount, outputCount, errorKind) = (2, 3, 4, 5, 5)

      private static func reply(failure: Int64? = nil) -> [UInt8] {
        var bytes = WorkerProbe.reply(width: 2, height: 1)
        var fields: [(Int, Int64)] = []
        if let failure { fields = [(kind, Int64(5)), (errorKind, failure)] }
        for (field, value) in fields {
          withUnsafeBytes(of: value.littleEndian) {
            bytes.replaceSubrange(field * 8..<field * 8 + 8, with: $0)
          }
        }
        return bytes
      }

      @Test("A worker receives the number of its request, the file, and memory for the image")
      func requests() throws {
        var numbers: [Int64] = []
        var file: [UInt8] = []

        let image = try WorkerPeer.decoding(DecodingOptions()) { worker in
          guard numbers.isEmpty, worker.receive() else { return false }
          (numbers, file) = (worker.request, worker.file(11))
          worker.write([1, 2, 3, 4, 5, 6], at: 0)
          worker.reply(Self.reply())
          return false
        }.get()

        #expect(image?.bytes == [1, 2, 3, 4, 5, 6])
        #expect(numbers.count == 64 && numbers[Self.kind] == 1 && numbers[Self.number] == 1)
        #expect(numbers[Self.inputCount] == 3 && numbers[Self.outputCount] == 517 << 20)
        // The proof lies behind the file.
        #expect(file == [1, 2, 3, 0xED, 0x5E, 0, 0, 0, 0, 0, 0])
      }

      @Test("A worker is asked once to stop, and then may reply that it has")
      func cancelling() {
        var kinds: [[Int64]] = []

        let result = WorkerPeer.decoding(DecodingOptions()) { worker in
          // The reply is there before the request to stop, which is read at the end.
          guard worker.receive() else { return false }
          kinds.append(Array(worker.request[2...3]))
          worker.reply(Self.reply(failure: 14))
          return true
        }

        #expect(result == .failure(.cancelled))
        #expect(kinds == [[1, 1]])
      }

      @Test("A worker that goes on after it is asked to stop is given up, and is asked by number")
      func deaf() {
        var peer: WorkerPeer?

        let result = WorkerPeer.decoding(DecodingOptions()) { worker in
          peer = worker
          return worker.receive()
        }

        #expect(result == .failure(.cancelled))
        #expect(peer?.receive() == true)
        #expect(peer.map { Array($0.request[2...3]) } == [9, 1])
        #expect(peer?.receive() == false)
      }

      @Test("A worker that does not reply has exceeded the deadline")
      func silent() {
        var options = DecodingOptions()
        options.limits.deadline = .milliseconds(40)
        var asked = 0

        let result = WorkerPeer.decoding(options) { _ in
          asked += 1
          return false
        }

        #expect(result == .failure(.deadlineExceeded))
        // Every 15 milliseconds of 60.
        #expect((1...4).contains(asked), "\(asked)")
      }

      @Test("A request that is cancelled before it is sent is cancelled, whatever the worker would do")
      func early() throws {
        let decoder = IsolatedImageDecoder()

        #expect(throws: ImageCodecError.cancelled) {
          try decoder.decode(Files.bytes("picture.png"), isCancelled: { true })
        }
      }

      @Test("A worker that closes its channel and does not end has misbehaved")
      func closed() {
        let result = WorkerPeer.decoding(DecodingOptions()) { worker in
          worker.close()
          return false
        }
        #expect(result == .failure(.decoderMisbehaved("it has closed its channel, and does not end")))
      }

      @Test("Memory that cannot be written to is an error of memory, and not of the file")
      func descriptors() {
        for file in [[], [1, 2, 3]] as [[UInt8]] {
          #expect(WorkerProbe.refusal(ofFile: file, to: -1) == .outOfMemory)
        }
      }

      @Test("A worker that claims nothing, and can still write to the memory, has misbehaved")
      func nothing() throws {
        let decoder = IsolatedImageDecoder(Workers.hostile)
        let file = try Workers.image("keep-writing")
        let reason = ImageCodecError.decoderMisbehaved("it keeps more memory than the image has")

        #expect(throws: reason) { try file.withUnsafeBytes { try decoder.embeddedThumbnail(of: $0) } }
        #expect(throws: reason) { try decoder.metadata(of: file) }
      }

      @Test("A worker that can still write to metadata, or keeps more than it has, has misbehaved")
      func metadata() throws {
        let decoder = IsolatedImageDecoder(Workers.hostile)
        for (fault, reason) in [
          ("keep-writing", "it can still write to the image"),
          ("hoard", "it keeps more memory than the image has"),
        ] {
          let file = PNGFile.file(
            1, 1, color: 0, before: [("tEXt", Array("Title\0Tower".utf8))], rows: [[0, 0]])
          #expect(throws: ImageCodecError.decoderMisbehaved(reason)) {
            try decoder.metadata(of: file + Array("fault:\(fault)".utf8))
          }
          #expect(try decoder.metadata(of: file).texts == ["Title": "Tower"])
        }
      }

      @Test("An image with a large gain map is returned from a worker")
      func largeGainMap() throws {
        var image = try Samples.picture(1_300, 1_100, .rgb8)
        image.gainMap = try GainMap(image: Samples.picture(1_300, 1_100, .gray8), metadata: GainMaps.metadata)
        let file = try ImageEncoder.encode(image, as: .jpeg())

        let found = try IsolatedImageDecoder().decode(file, options: GainMaps.decoding)

        #expect(found.gainMap?.image.byteCount == 1_430_000)
        #expect(found == (try ImageDecoder.decode(file, options: GainMaps.decoding)))
      }

      @Test("A request without a file is one for no image")
      func empty() throws {
        for (file, hint) in [([], 0), ([0x00], 5), ([0x61], 4)] as [([UInt8], UInt8)] {
          let request = WorkerProbe.request(decoding: file, options: DecodingOptions())
          let reply = try #require(WorkerProbe.serve(request: request, file: file))
          #expect([reply[Self.kind * 8], reply[Self.errorKind * 8]] == [5, hint])
        }
      }

      @Test("Working bytes and thumbnails of a worker follow the options, within the limits of its decoder")
      func options() throws {
        var limits = DecodingLimits()
        limits.maximumWorkingBytes = 1_000
        let file = try Files.bytes("progressive.jpg")

        #expect(throws: ImageCodecError.limitExceeded(.workingBytes(1_000))) {
          try IsolatedImageDecoder(limits: limits).decode(file)
        }
        let decoder = IsolatedImageDecoder()
        #expect(throws: ImageCodecError.limitExceeded(.workingBytes(1_000))) {
          try decoder.decode(file, options: DecodingOptions(limits: limits))
        }
        limits = DecodingLimits()
        limits.maximumEncodedBytes = 10
        #expect(throws: ImageCodecError.limitExceeded(.encodedBytes(10))) {
          try decoder.animation(file, options: DecodingOptions(limits: limits))
        }
        #expect(throws: ImageCodecError.notAnImage(.empty)) { try decoder.animation([]) }
      }

      @Test(
        "An element `text` is found by its name, whatever precedes and follows it",
        .enabled(if: Drawing.isPossible, "librsvg is not there"))
      func texts() throws {
        let decoder = IsolatedImageDecoder(drawingBy: WorkerSettings(), limits: .default)
        let renderer = try SVGRenderer()
        func isRefused(_ text: String) -> Bool {
          let document = Array("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>\(text)".utf8)
          let result = document.withUnsafeBytes { bytes in
            Result { () throws(ImageCodecError) in
              try decoder.drawing(bytes, renderer, options: DecodingOptions(), isCancelled: { false })
            }
          }
          return switch result {
          case .failure(.unsupportedFeature("text in an SVG that a worker process draws")): true
          default: false
          }
        }

        for end in [" ", "\t", "\n", "\r", "/", ">"] {
          #expect(isRefused("<text\(end)") && isRefused("<a:text\(end)"))
        }
        for other in [
          "<text", "<texts>", "<tex", ":text", "text>", "<text-a/>", "<a-text/>", "<atext>", "<", ":", "",
        ] {
          #expect(!isRefused(other), "\(other)")
        }
      }
    }
  }
#endif
