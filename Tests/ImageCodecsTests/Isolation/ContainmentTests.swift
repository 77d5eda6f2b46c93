#if os(Linux)
  import Foundation
  import ImageCodecs
  import Testing

  /// Each thing that a decoder must not do, done on purpose by `HostileWorker`.
  extension IsolationTests {
    @Suite("Worker containment")
    struct ContainmentTests {
      /// Without a limit of addresses, memory and threads of a sanitizer's worker have no end.
      static let faults = allFaults.filter { !isUnderSanitizer || $0.fault != "threads" }

      /// Each fault, with the error of the very check that it is for.
      static let allFaults: [(fault: String, error: ImageCodecError)] = [
        ("wild-write", .decoderCrashed(signal: Int(SIGSEGV))),
        ("endless-loop", .deadlineExceeded),
        ("open-file", .corrupt("the system refused open-file: \(EACCES)")),
        ("connect", .decoderCrashed(signal: Int(SIGSYS))),
        ("fork", .decoderCrashed(signal: Int(SIGSYS))),
        ("rubbish", .decoderMisbehaved("it replied with something that is not a reply")),
        ("gigapixel", .decoderMisbehaved("it claims an image beyond the limits")),
        ("outside", .decoderMisbehaved("it claims memory that there is not")),
        ("half-image", .decoderMisbehaved("it has half an image")),
        ("no-image", .decoderMisbehaved("it has no image")),
        ("other-question", .decoderMisbehaved("its reply does not match the request")),
        ("other-number", .decoderMisbehaved("its reply does not match the request")),
        ("without-memory", .decoderMisbehaved("it has not received the memory of this request")),
        ("stopped", .decoderMisbehaved("it stopped by itself")),
        ("kept-profile", .decoderMisbehaved("it kept a color profile")),
        ("die", .decoderCrashed(signal: 0)),
        ("truncate", .decoderCrashed(signal: Int(SIGSYS))),
        ("descriptors", .decoderCrashed(signal: Int(SIGSYS))),
        ("half-reply", .decoderMisbehaved("it replied with something that is not a reply")),
        ("keep-writing", .decoderMisbehaved("it can still write to the image")),
        ("hoard", .decoderMisbehaved("it keeps more memory than the image has")),
        ("silence", .decoderCrashed(signal: Int(SIGSYS))),
        ("seal-input", .corrupt("the system refused seal-input: \(EPERM)")),
        ("execute", .decoderCrashed(signal: Int(SIGSYS))),
        ("signal-program", .decoderCrashed(signal: Int(SIGSYS))),
        ("lift-limits", .decoderCrashed(signal: Int(SIGSYS))),
        ("code", .decoderCrashed(signal: Int(SIGSYS))),
        ("own-table", .decoderCrashed(signal: Int(SIGSYS))),
        ("threads", .corrupt("the system refused threads: \(EAGAIN)")),
        ("raw-threads", .decoderMisbehaved("it has more threads than decoders need")),
      ]

      private static let limits = {
        var limits = DecodingLimits()
        limits.deadline = .seconds(20)
        limits.maximumDecodedBytes = 16 << 20
        limits.maximumWorkingBytes = 16 << 20
        limits.maximumEncodedBytes = 1 << 20
        return limits
      }()

      @Test(
        "A compromised worker fails its own image with a specific error, and the next image decodes",
        arguments: faults)
      func contained(fault: String, error: ImageCodecError) throws {
        let decoder = IsolatedImageDecoder(Workers.hostile, limits: Self.limits)
        var options = DecodingOptions(limits: Self.limits)
        if fault == "endless-loop" { options.limits.deadline = .milliseconds(300) }

        let thrown = #expect(throws: ImageCodecError.self) {
          try decoder.decode(Workers.image(fault), options: options)
        }

        #expect(thrown == error)
        options.limits.deadline = .seconds(60)
        #expect(
          try decoder.decode(Files.bytes("picture.png"), options: options) == Files.image("picture.png"))
      }

      @Test(
        "A worker allocates no more memory than its limit",
        .enabled(if: !isUnderSanitizer, "a sanitizer's worker has no limit of addresses"))
      func endlessAllocation() throws {
        let decoder = IsolatedImageDecoder(Workers.hostile, limits: Self.limits)

        let error = #expect(throws: ImageCodecError.self) {
          try decoder.decode(
            Workers.image("endless-allocation"), options: DecodingOptions(limits: Self.limits))
        }

        guard case .corrupt(let text)? = error,
          let count = text.split(separator: " ").compactMap({ Int($0) }).first
        else {
          Issue.record("\(String(describing: error))")
          return
        }
        // For pixels, as much again for a profile and what surrounds it, and 128 MiB.
        #expect((128..<220).contains(count))
      }

      @Test(
        "A worker that follows a self-referencing HEIC grid is ended or fails",
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
        var box = big(26, 4) + Array("iref".utf8) + big(0, 4)
        box += big(14, 4) + Array("dimg".utf8)
        for number in [main, 1, main] { box += big(number, 2) }
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
        return Array(file[..<end]) + box + Array(file[end...]) + big(8 + fault.count, 4) + Array("free".utf8)
          + fault
      }

      @Test(
        "The error of a crashed worker contains its signal",
        arguments: [("wild-write", 11), ("connect", 31), ("die", 0)])
      func signals(fault: String, signal: Int) throws {
        let decoder = IsolatedImageDecoder(Workers.hostile, limits: Self.limits)

        #expect(throws: ImageCodecError.decoderCrashed(signal: signal)) {
          try decoder.decode(Workers.image(fault), options: DecodingOptions(limits: Self.limits))
        }
      }

      @Test(
        "A worker that has used all of its processor time fails for its time, not for memory",
        .enabled(if: !isUnderSanitizer, "a sanitizer's worker takes much of it to start"))
      func processorTime() throws {
        var limits = Self.limits
        // Three seconds in all: two minutes and four deadlines.
        limits.deadline = .seconds(-117) / 4
        let decoder = IsolatedImageDecoder(Workers.hostile, limits: limits)
        limits.deadline = .seconds(600)

        #expect(throws: ImageCodecError.deadlineExceeded) {
          try decoder.decode(Workers.image("endless-loop"), options: DecodingOptions(limits: limits))
        }
      }

      @Test("A compromised worker leaves no process and no memory mapping")
      func remains() throws {
        let worker = try NamedWorker("HostileWorker")
        let decoder = IsolatedImageDecoder(worker.settings, limits: Self.limits)
        let options = DecodingOptions(limits: Self.limits)
        for fault in ["wild-write", "gigapixel", "keep-writing", "connect"] {
          _ = try decoder.decode(Files.bytes("picture.png"), options: options)
          let processes = Workers.processes(worker.name)
          #expect(processes.count == 1)

          #expect(throws: ImageCodecError.self) { try decoder.decode(Workers.image(fault), options: options) }

          #expect(Workers.processes(worker.name) == [], "after \(fault)")
          #expect(Workers.remains.mappings == 0, "after \(fault)")
        }
      }

      @Test("A worker in an endless loop is cancelled within 50 milliseconds")
      func cancelled() throws {
        let decoder = IsolatedImageDecoder(Workers.hostile, limits: Self.limits)
        let file = try Workers.image("endless-loop")
        _ = try decoder.decode(Files.bytes("picture.png"))
        var quickest = Duration.seconds(60)
        for _ in 0..<200 where quickest >= .milliseconds(50) {
          var (asked, cancelled) = (0, ContinuousClock.now)
          #expect(throws: ImageCodecError.cancelled) {
            try decoder.decode(file) {
              asked += 1
              if asked == 4 { cancelled = .now }
              return asked >= 4
            }
          }
          quickest = min(quickest, ContinuousClock.now - cancelled)
        }

        // The quickest: the machine may be busy.
        #expect(quickest < .milliseconds(isUnderSanitizer ? 500 : 50))
      }
    }
  }
#endif
