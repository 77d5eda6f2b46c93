#if os(Linux)
  import Foundation
  import LoopbackServer
  import StreamImages
  import StreamsTesting
  import Testing

  @Suite("`ImagePipeline`: worker processes", .serialized, .timeLimit(.minutes(10)))
  struct IsolatedPipelineTests {
    /// Built into the same folder as the tests.
    static func program(_ name: String) -> WorkerSettings.Program {
      let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      return .path(tests.deletingLastPathComponent().appending(path: name).path)
    }

    @Test("Decoding isolation is enabled by a setting")
    func setting() {
      var configuration = ImagePipeline.Configuration()
      configuration.decodingIsolation = .process()

      #expect(ImagePipeline(configuration).configuration.decodingIsolation != DecodingIsolation.none)
    }

    private static func hostile(_ configuration: inout ImagePipeline.Configuration) {
      configuration.decodingIsolation = .process(WorkerSettings(program: program("HostileWorker")))
      configuration.decodingLimits.deadline = .seconds(30)
    }

    private static func photograph(_ size: Int, fault: String = "") throws -> Data {
      let image = try Image(width: size, height: size, pixelFormat: .rgb8)
      return try Data(
        ImageEncoder.encode(image, as: .png) + Array((fault.isEmpty ? "" : "fault:\(fault)").utf8))
    }

    @Test("A worker process delivers the same previews")
    func previews() async throws {
      func values(_ configure: (inout ImagePipeline.Configuration) -> Void) async throws -> [ImageResponse] {
        let bench = Bench()
        let bytes = try Pictures.progressiveJPEG(64, 48)
        bench.loader.answer(bench.url, with: bytes, inPiecesOf: bytes.count / 2 + 1, onDemand: true)
        let pipeline = bench.pipeline {
          $0.isProgressiveDecodingEnabled = true
          configure(&$0)
        }
        let recorder = pipeline.imagePublisher(with: bench.url).record()
        await bench.loader.waitForLoad(of: bench.url)
        bench.loader.sendPiece(of: bench.url)
        _ = await recorder.received(1)
        bench.loader.sendRest(of: bench.url)
        #expect(await recorder.endsWell())
        return recorder.values
      }

      let here = try await values { $0.decoders = [ImageDecoders.Default()] }
      let there = try await values {
        $0.decoders = [ImageDecoders.Default()]
        Self.hostile(&$0)
      }

      #expect(there.map(\.isPreview) == [true, false])
      #expect(there.map(\.image) == here.map(\.image))
    }

    @Test("A worker process delivers the same resized image, with previews enabled")
    func images() async throws {
      try await withWorkshop { workshop in
        let image = try Pictures.gradient(400, 300)
        let file = try Data(ImageEncoder.encode(image, as: .jpeg(progressive: true)))
        workshop.server.serve("/a", .bytes(file))
        let request = ImageRequest(
          url: workshop.server.url("/a"), processors: [ImageProcessors.Resize(width: 100)])

        let here = try await workshop.pipeline { $0.dataCache = nil }.image(for: request)
        let there = try await workshop.pipeline {
          Self.hostile(&$0)
          $0.dataCache = nil
          $0.isProgressiveDecodingEnabled = true
        }
        .image(for: request)

        #expect(there == here)
      }
    }

    @Test(
      "A crash of one worker fails only its own request"
    )
    func crash() async throws {
      try await withWorkshop { workshop in
        let good = try Self.photograph(200)
        workshop.server.serve("/bad", .bytes(try Self.photograph(200, fault: "wild-write")))
        for number in 0..<8 { workshop.server.serve("/\(number)", .bytes(good)) }
        let pipeline = workshop.pipeline(Self.hostile)
        let server = workshop.server

        await withTaskGroup(of: (String, String).self) { group in
          for path in (0..<8).map({ "/\($0)" }) + ["/bad"] {
            group.addTask {
              let failure = await imageFailure { () throws(ImagePipeline.Error) in
                try await pipeline.image(for: server.url(path))
              }
              return (path, failure?.code ?? "")
            }
          }
          for await (path, code) in group {
            #expect(code == (path == "/bad" ? "codec.decoder-crashed" : ""), "\(path)")
          }
        }
        #expect(workshop.loads(of: "/bad") == 1)
        await pipeline.flush()
      }
    }

    @Test("A worker decodes animations, and a crash fails with a typed error")
    func animations() async throws {
      try await withWorkshop { workshop in
        let image = try Pictures.gradient(20, 10)
        workshop.server.serve("/a", .bytes(try Data(ImageEncoder.encode(image, as: .png))))
        workshop.server.serve("/bad", .bytes(try Self.photograph(20, fault: "die")))
        let pipeline = workshop.pipeline(Self.hostile)

        let frames = try await pipeline.animation(for: workshop.server.url("/a")).frames.record()
        let failure = await imageFailure { () throws(ImagePipeline.Error) in
          try await pipeline.animation(for: workshop.server.url("/bad"))
        }

        #expect(frames.values.map(\.image) == [image])
        #expect(failure?.code == "codec.decoder-crashed")
      }
    }

    @Test(
      "Drawings and other images have workers of their own, which are counted together",
      .enabled(if: (try? SVGDecoder()) != nil, "librsvg is not there"))
    func drawings() async throws {
      let bench = Bench()
      bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
      let document = "<svg xmlns='http://www.w3.org/2000/svg' width='6' height='3'><rect/></svg>"
      bench.loader.answer(bench.other, with: Data(document.utf8))
      let decoder = try SVGDecoder()
      let pipeline = bench.pipeline {
        $0.decoders = [decoder, ImageDecoders.Default()]
        $0.decodingIsolation = .process()
      }

      #expect(pipeline.startedWorkerCount == 0)
      #expect(try await pipeline.image(for: bench.url).width == 8)
      #expect(pipeline.startedWorkerCount == 1)
      #expect(try await pipeline.image(for: bench.other).width == 6)
      #expect(pipeline.startedWorkerCount == 2)
    }

    @Test("By default, formats whose libraries have a history have workers, with equal pixels")
    func defaults() async throws {
      let image = try Pictures.gradient(40, 30)
      for (encoding, workers) in [(.avif(), 1), (.jpegXL(), 1), (.png, 0), (.jpeg(), 0), (.webp(), 0)]
        as [(ImageEncoder.Encoding, Int)]
      {
        let bench = Bench()
        let file = try ImageEncoder.encode(image, as: encoding)
        bench.loader.answer(bench.url, with: Data(file))
        let pipeline = bench.pipeline {
          $0.decoders = [ImageDecoders.Default()]
          $0.decodingIsolation = .default
        }

        let decoded = try await pipeline.image(for: ImageRequest(url: bench.url))

        #expect(try decoded == ImageDecoder.decode(file), "\(encoding)")
        #expect(pipeline.startedWorkerCount == workers, "\(encoding)")
        let animation = try await pipeline.animation(for: bench.url)
        #expect(animation.frames.record().values.count == 1)
        #expect(pipeline.startedWorkerCount >= workers && (pipeline.startedWorkerCount > 0) == (workers > 0))
      }
      #expect(ImagePipeline.Configuration().decodingIsolation == .default)
    }

    @Test("Where no worker can be started, the default decodes in the program, and says so once")
    func fallback() throws {
      let lines = Shared<[String]>([])
      let notice = FallbackNotice { line in lines.change { $0.append(line) } }
      let file = try Data(ImageEncoder.encode(Pictures.gradient(4, 3), as: .avif()))
      let missing = ImageCodecError.isolationUnavailable(.programMissing)
      func run(_ isolation: DecodingIsolation, _ error: ImageCodecError, attempts: inout Int) throws -> String
      {
        let decoders = try #require(IsolatedDecoders(isolation, limits: .default, notice: notice))
        return try (0..<2).map { _ in
          try decoders.run(file) { _ throws(ImageCodecError) -> String in
            attempts += 1
            throw error
          } here: {
            "here"
          }
        }
        .joined(separator: " ")
      }
      for reason in [IsolationFailure.programMissing, .platform, .unprotected(.systemCalls)] {
        var attempts = 0
        #expect(try run(.default, .isolationUnavailable(reason), attempts: &attempts) == "here here")
        #expect(attempts == 1)
      }
      #expect(lines.value.count == 1)
      #expect(lines.value.first?.contains("call ImageWorker.runIfAsked() first in your program") == true)
      // What may be otherwise the next time, and what is the fault of an image, is an error.
      var attempts = 0
      for error in [.isolationUnavailable(.notStarted("busy")), .decoderCrashed(signal: 11)]
        as [ImageCodecError]
      {
        #expect(throws: error) { try run(.default, error, attempts: &attempts) }
      }
      #expect(throws: missing) { try run(.process(), missing, attempts: &attempts) }
      #expect(lines.value.count == 1)
    }

    @Test("Foreign decoders are refused unless the settings allow them")
    func foreign() async throws {
      let bench = Bench()
      bench.loader.answer(bench.url, with: try Pictures.png())
      var settings = WorkerSettings(program: Self.program("HostileWorker"))
      let strict = bench.pipeline { $0.decodingIsolation = .process(settings) }
      settings.allowsForeignDecoders = true
      let lax = bench.pipeline { $0.decodingIsolation = .process(settings) }

      let failure = await imageFailure { () throws(ImagePipeline.Error) in
        try await strict.image(for: bench.url)
      }
      let other = await imageFailure { () throws(ImagePipeline.Error) in try await lax.image(for: bench.url) }

      #expect(failure?.code == "codec.isolation-unavailable.foreign-decoder")
      #expect(other == nil)
    }

    @Test("The server configuration enables isolation and reports its protections")
    func server() throws {
      let pipeline = ImagePipeline(.server(allowing: .any))

      let protections = try pipeline.decodingProtections()

      #expect(pipeline.configuration.decodingIsolation == .process())
      #expect(protections?.isSuperset(of: .required) == true)
      #expect(pipeline.startedWorkerCount == 1)
      let plain = ImagePipeline { $0.decodingIsolation = .none }
      #expect(try plain.decodingProtections() == nil)
      #expect(plain.startedWorkerCount == 0)
    }
  }
#endif
