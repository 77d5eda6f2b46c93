#if os(Linux)
  import Foundation
  import ImageCodecs
  import TestSupport
  import Testing

  extension IsolationTests {
    @Suite("Reuse of workers")
    struct WorkerReuseTests {
      @Test("A worker is kept after errors of an image, and replaced after those that may leave traces")
      func errors() throws {
        let good = try Files.bytes("picture.png")
        let photograph = try Files.photograph()
        var small = DecodingOptions()
        small.limits.maximumPixels = 10
        let negative = DecodingOptions(target: ResizeTarget(width: -1, height: nil))
        var broken = PNGFile(width: 2, height: 2, bitDepth: 8, color: 2)
        broken.append("IDAT", Array(1...40))
        broken.end()
        let cases: [(bytes: [UInt8], options: DecodingOptions, code: String, isKept: Bool)] = [
          (Array("<html>".utf8), .init(), "codec.not-an-image", true), (good, small, "codec.too-large", true),
          (Array(good.prefix(200)), .init(), "codec.truncated", true),
          (good, negative, "codec.invalid-size", true),
          (Array(photograph.prefix(photograph.count / 2)), .init(), "codec.truncated", true),
          (
            [0, 0, 0, 20] + Array("ftypqt  ".utf8) + [UInt8](repeating: 0, count: 8), .init(),
            "codec.unsupported-format", true
          ),
          (broken.bytes, .init(), "codec.corrupt", false),
        ]
        for (bytes, options, code, isKept) in cases {
          let decoder = IsolatedImageDecoder()
          #expect(decoder.startedWorkerCount == 0)
          _ = try decoder.decode(good)
          #expect(decoder.startedWorkerCount == 1)

          let error = #expect(throws: ImageCodecError.self) { try decoder.decode(bytes, options: options) }

          #expect(error?.code.hasPrefix(code) == true, "\(String(describing: error)), not \(code)")
          // What fails because of itself is not tried again.
          #expect(decoder.startedWorkerCount == 1, "\(code)")
          _ = try decoder.decode(good)
          #expect(decoder.startedWorkerCount == (isKept ? 1 : 2), "\(code)")
        }
      }

      @Test("A crash is tried again with a new worker only if the worker had read another image")
      func retries() throws {
        let decoder = IsolatedImageDecoder(Workers.hostile)
        func crash() throws {
          #expect(throws: ImageCodecError.decoderCrashed(signal: 11)) {
            try decoder.decode(Workers.image("wild-write"))
          }
        }

        try crash()
        #expect(decoder.startedWorkerCount == 1)
        _ = try decoder.decode(Files.bytes("picture.png"))
        #expect(decoder.startedWorkerCount == 2)
        try crash()
        #expect(decoder.startedWorkerCount == 3)
        _ = try decoder.decode(Files.bytes("picture.png"))
        #expect(decoder.startedWorkerCount == 4)
        #expect(throws: ImageCodecError.decoderMisbehaved("it stopped by itself")) {
          try decoder.decode(Workers.image("stopped"))
        }
        #expect(decoder.startedWorkerCount == 5)
      }

      @Test("A worker decodes as many images as the settings say", arguments: [1, 2, 3])
      func imagesPerWorker(count: Int) throws {
        var settings = WorkerSettings()
        settings.imagesPerWorker = count
        let decoder = IsolatedImageDecoder(settings)

        for index in 0..<6 {
          _ = try decoder.decode(Files.bytes("picture.png"))
          #expect(decoder.startedWorkerCount == index / count + 1)
        }
      }

      @Test("A worker that ended while it was idle is replaced before the next image")
      func killed() throws {
        let worker = try NamedWorker()
        let decoder = IsolatedImageDecoder(worker.settings)
        _ = try decoder.decode(Files.bytes("picture.png"))
        let process = try #require(Workers.processes(worker.name).first)
        kill(process, SIGKILL)
        let end = ContinuousClock.now + .seconds(120)
        while processFile("stat", of: process)?.contains(") Z ") == false, ContinuousClock.now < end {
          sched_yield()
        }

        #expect(try decoder.decode(Files.bytes("picture.png")) == Files.image("picture.png"))

        #expect(decoder.startedWorkerCount == 2)
      }

      @Test(
        "A worker with much work behind it is kept, and the time of its earlier work counts for no later image"
      )
      func spent() throws {
        let worker = try NamedWorker("HostileWorker")
        var limits = DecodingLimits()
        limits.deadline = .seconds(600)
        let decoder = IsolatedImageDecoder(worker.settings, limits: limits)
        let file = try Files.photograph()
        _ = try decoder.decode(file)
        let process = try #require(Workers.processes(worker.name).first)
        while decoder.startedWorkerCount == 1, Workers.processorTime(of: process) < .milliseconds(700) {
          _ = try decoder.decode(file)
        }
        #expect(decoder.startedWorkerCount == 1)
        var options = DecodingOptions()
        options.limits.deadline = .milliseconds(200)
        var asked = 0

        let elapsed = ContinuousClock().measure {
          #expect(throws: ImageCodecError.deadlineExceeded) {
            try decoder.decode(Workers.image("endless-loop"), options: options) {
              asked += 1
              return false
            }
          }
        }

        // A little later than the deadline, and asked once before and then every 15 milliseconds.
        #expect(elapsed >= .milliseconds(220))
        #expect((2...16).contains(asked), "\(asked)")
      }

      @Test(
        "The signal that ends a worker at work tells whether memory or time ran out",
        arguments: [
          (SIGKILL, ImageCodecError.outOfMemory), (SIGXCPU, .deadlineExceeded),
          (SIGTERM, .decoderCrashed(signal: 15)),
        ])
      func signals(signal: Int32, error: ImageCodecError) throws {
        let worker = try NamedWorker("HostileWorker")
        let decoder = IsolatedImageDecoder(worker.settings)
        var asked = 0

        #expect(throws: error) {
          try decoder.decode(Workers.image("endless-loop")) {
            asked += 1
            if asked == 2 { for process in Workers.processes(worker.name) { kill(process, signal) } }
            return false
          }
        }

        #expect(decoder.startedWorkerCount == 1)
      }

      @Test("A worker that goes on after it is cancelled is ended")
      func cancelled() throws {
        let worker = try NamedWorker("HostileWorker")
        let decoder = IsolatedImageDecoder(worker.settings)
        var asked = 0

        #expect(throws: ImageCodecError.cancelled) {
          try decoder.decode(Workers.image("endless-loop")) {
            asked += 1
            return asked > 1
          }
        }

        #expect(Workers.processes(worker.name) == [])
      }

      @Test("The worker of an animation is used again once it has closed it, and ended if it does not")
      func animations() throws {
        let worker = try NamedWorker("HostileWorker")
        var isKept = false
        // One of ten: on a busy machine, a worker may take longer to close than it has.
        for _ in 0..<10 where !isKept {
          let decoder = IsolatedImageDecoder(worker.settings)
          var first: IsolatedAnimationReader? = try decoder.animation(Files.bytes("disposed.gif"))
          let process = try #require(Workers.processes(worker.name).first)
          var second: IsolatedAnimationReader? = try decoder.animation(Workers.image("deaf-animation"))
          _ = try (first?.next(), second?.next())
          #expect(Workers.processes(worker.name).count == 2)

          first = nil
          second = nil
          // The time of the first one is over before that of the second one.
          let end = ContinuousClock.now + .seconds(120)
          while Workers.processes(worker.name).count > 1, ContinuousClock.now < end { sched_yield() }

          isKept = Workers.processes(worker.name) == [process]
          #expect(try decoder.decode(Files.bytes("picture.png")) == Files.image("picture.png"))
          #expect(decoder.startedWorkerCount == (isKept ? 2 : 3))
        }
        #expect(isKept)
      }

      @Test("An animation that has ended asks its worker for nothing")
      func ended() throws {
        let worker = try NamedWorker()
        let decoder = IsolatedImageDecoder(worker.settings)
        let reader = try decoder.animation(Files.bytes("disposed.gif"))
        while try reader.next() != nil {}
        for process in Workers.processes(worker.name) { kill(process, SIGKILL) }

        for _ in 0..<2 { #expect(try reader.next() == nil) }
      }

      @Test("An animation that fails ends its worker, and has no more frames")
      func failing() throws {
        let worker = try NamedWorker()
        let decoder = IsolatedImageDecoder(worker.settings)
        let file = try Files.bytes("animated.png")
        let reader = try decoder.animation(Array(file.prefix(file.count / 2)))

        #expect(throws: ImageCodecError.truncated) { while try reader.next() != nil {} }

        #expect(Workers.processes(worker.name) == [])
        #expect(try reader.next() == nil)
      }

      @Test("A worker that is idle for as long as a deadline is ended")
      func idleEnd() throws {
        let worker = try NamedWorker()
        var limits = DecodingLimits()
        limits.deadline = .seconds(1)
        let decoder = IsolatedImageDecoder(worker.settings, limits: limits)
        var options = DecodingOptions()
        options.limits.deadline = .seconds(60)
        _ = try decoder.decode(Files.bytes("picture.png"), options: options)
        let end = ContinuousClock.now + .seconds(120)
        while !Workers.processes(worker.name).isEmpty, ContinuousClock.now < end { sched_yield() }

        #expect(Workers.processes(worker.name) == [])
        _ = try decoder.decode(Files.bytes("picture.png"), options: options)
        #expect(decoder.startedWorkerCount == 2)
      }
    }
  }
#endif
