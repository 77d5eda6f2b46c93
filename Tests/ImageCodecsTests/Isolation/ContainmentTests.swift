#if os(Linux)
  import Foundation
  import ImageCodecs
  import Testing

  /// Each thing that a decoder must not do, done on purpose by `HostileWorker`.
  extension IsolationTests {
    @Suite("A worker that an image has taken over")
    struct ContainmentTests {
      /// Without a limit of addresses, memory and threads of a sanitizer's worker have no end.
      static let faults = allFaults.filter {
        !isUnderSanitizer || !["endless-allocation", "threads"].contains($0.fault)
      }

      private static let allFaults: [(fault: String, error: String)] = [
        ("wild-write", "codec.decoder-crashed"),
        ("endless-loop", "codec.deadline-exceeded"),
        ("endless-allocation", "codec.out-of-memory"),
        ("open-file", "codec.corrupt"),
        ("connect", "codec.decoder-crashed"),
        ("fork", "codec.decoder-crashed"),
        ("rubbish", "codec.decoder-misbehaved"),
        ("gigapixel", "codec.decoder-misbehaved"),
        ("die", "codec.decoder-crashed"),
        ("truncate", "codec.decoder-crashed"),
        ("descriptors", "codec.decoder-crashed"),
        ("half-reply", "codec.decoder-misbehaved"),
        ("keep-writing", "codec.decoder-misbehaved"),
        ("hoard", "codec.decoder-misbehaved"),
        ("silence", "codec.decoder-misbehaved"),
        ("other-number", "codec.decoder-misbehaved"),
        ("execute", "codec.decoder-crashed"),
        ("signal-program", "codec.decoder-crashed"),
        ("lift-limits", "codec.decoder-crashed"),
        ("code", "codec.decoder-crashed"),
        ("threads", "codec.corrupt"),
      ]

      private static let limits = {
        var limits = DecodingLimits()
        limits.deadline = .seconds(20)
        limits.maximumDecodedBytes = 16 << 20
        limits.maximumWorkingBytes = 16 << 20
        limits.maximumEncodedBytes = 1 << 20
        return limits
      }()

      @Test("does no harm: the image fails with a typed error, and the next one decodes", arguments: faults)
      func contained(fault: String, error: String) throws {
        let decoder = IsolatedImageDecoder(Workers.hostile, limits: Self.limits)
        var options = DecodingOptions(limits: Self.limits)
        if fault == "endless-loop" { options.limits.deadline = .milliseconds(300) }

        let thrown = #expect(throws: ImageCodecError.self) {
          try decoder.decode(Workers.image(fault), options: options)
        }

        #expect(thrown?.code == error, "\(fault): \(String(describing: thrown))")
        if fault == "open-file" { #expect("\(thrown as Any)".contains("refused open-file: 13")) }
        options.limits.deadline = .seconds(60)
        #expect(
          try decoder.decode(Files.bytes("picture.png"), options: options) == Files.image("picture.png"))
      }

      @Test(
        "by a grid that is made of itself, which libheif 1.15 follows without end, is ended or refused",
        .enabled(if: !isUnderSanitizer, "a sanitizer's worker has no limit of addresses"))
      func endlessGrid() throws {
        let decoder = IsolatedImageDecoder(Workers.hostile, limits: Self.limits)

        let error = #expect(throws: ImageCodecError.self) {
          try decoder.decode(
            Self.gridOfItself(), options: DecodingOptions(limits: Self.limits))
        }

        let codes = [
          "codec.decoder-crashed", "codec.deadline-exceeded", "codec.out-of-memory", "codec.corrupt",
        ]
        #expect(codes.contains(error?.code ?? ""), "\(String(describing: error))")
        print("a grid of itself: \(String(describing: error))")
        #expect(throws: ImageCodecError.corrupt("an image that contains itself, or is nested too deeply")) {
          try ImageDecoder.decode(Self.gridOfItself())
        }
        #expect(try decoder.decode(Files.bytes("picture.png")) == Files.image("picture.png"))
      }

      /// A HEIC whose main image is a grid of one tile: itself.
      private static func gridOfItself() throws -> [UInt8] {
        var file = try Files.bytes("picture.heic")
        func start(_ type: String) throws -> Int { try #require(file.positions(of: Array(type.utf8)).first) }
        func big(_ value: Int, _ count: Int) -> [UInt8] {
          (0..<count).reversed().map { UInt8(value >> ($0 * 8) & 255) }
        }
        func number(_ place: Int, _ count: Int) -> Int {
          file[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
        }
        let main = number(try start("pitm") + 8, 2)
        file.replaceSubrange(try start("hvc1")..<start("hvc1") + 4, with: Array("grid".utf8))
        let box =
          big(26, 4) + Array("iref".utf8) + big(0, 4) + big(14, 4) + Array("dimg".utf8)
          + [main, 1, main].flatMap { big($0, 2) }
        // What the grid is: a row, a column, and its size.
        let size = try ImageDecoder.info(of: Files.bytes("picture.heic")).storedSize
        let data = try start("mdat") + 4
        file.replaceSubrange(data..<data + 8, with: [0, 0, 0, 0] + big(size.width, 2) + big(size.height, 2))
        let offset = try start("iloc") + 4 + 18
        file.replaceSubrange(offset..<offset + 4, with: big(number(offset, 4) + box.count, 4))
        let meta = try start("meta") - 4
        let end = meta + number(meta, 4)
        file.replaceSubrange(meta..<meta + 4, with: big(end - meta + box.count, 4))
        let fault = Array("fault:unguarded".utf8)
        return Array(file[..<end]) + box + file[end...] + big(8 + fault.count, 4) + Array("free".utf8) + fault
      }

      @Test(
        "says by which signal it was ended", arguments: [("wild-write", 11), ("connect", 31), ("die", 0)])
      func signals(fault: String, signal: Int) throws {
        let decoder = IsolatedImageDecoder(Workers.hostile, limits: Self.limits)

        #expect(throws: ImageCodecError.decoderCrashed(signal: signal)) {
          try decoder.decode(Workers.image(fault), options: DecodingOptions(limits: Self.limits))
        }
      }

      @Test("leaves nothing behind: no process, no memory, no descriptor")
      func remains() throws {
        let decoder = IsolatedImageDecoder(Workers.hostile, limits: Self.limits)
        let options = DecodingOptions(limits: Self.limits)
        for fault in ["wild-write", "gigapixel", "keep-writing", "connect"] {
          _ = try? decoder.decode(Workers.image(fault), options: options)
        }

        #expect(Workers.processes("HostileWorker") == [])
        #expect(Workers.remains.mappings == 0)
      }

      @Test("is cancelled within 50 milliseconds, whatever it does")
      func cancelled() throws {
        let decoder = IsolatedImageDecoder(Workers.hostile, limits: Self.limits)
        let file = try Workers.image("endless-loop")
        _ = try decoder.decode(Files.bytes("picture.png"))
        var (asked, cancelled) = (0, ContinuousClock.now)

        #expect(throws: ImageCodecError.cancelled) {
          try decoder.decode(file) {
            asked += 1
            if asked == 4 { cancelled = .now }
            return asked >= 4
          }
        }

        #expect(ContinuousClock.now - cancelled < .milliseconds(isUnderSanitizer ? 500 : 50))
      }
    }
  }
#endif
