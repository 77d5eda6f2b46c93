#if os(Linux)
  import Foundation
  import ImageCodecs
  import Testing

  /// `ISOLATION_ATTACKS` is how many hostile images there are; a hundred by default.
  private let attackCount =
    ProcessInfo.processInfo.environment["ISOLATION_ATTACKS"].flatMap { Int($0) } ?? 100

  /// Workers that lie about what they have, and keep what they were given.
  extension IsolationTests {
    @Suite("Worker attacks")
    struct AttackTests {
      private static func limits(deadline: Duration = .seconds(20)) -> DecodingLimits {
        var limits = DecodingLimits()
        limits.deadline = deadline
        limits.maximumDecodedBytes = 16 << 20
        limits.maximumWorkingBytes = 16 << 20
        return limits
      }

      private static func decoder(
        _ limits: DecodingLimits = limits(), named worker: NamedWorker? = nil
      ) -> IsolatedImageDecoder {
        IsolatedImageDecoder(worker?.settings ?? Workers.hostile, limits: limits)
      }

      /// Waits for something that another process does.
      private static func waits(
        _ most: Duration = .seconds(120), until isTrue: () throws -> Bool
      ) rethrows -> Bool {
        let end = ContinuousClock.now + most
        while ContinuousClock.now < end {
          if try isTrue() { return true }
          sched_yield()
        }
        return try isTrue()
      }

      @Test("Every fault of the hostile worker and every check of its replies is tested")
      func completeness() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let sabotage = root.appending(path: "Tests/HostileWorker/Sabotage")
        let checks = root.appending(path: "Sources/ImageCodecs/Isolation")
        func found(_ pattern: String, in folder: URL) throws -> Set<String> {
          let expression = try Regex("\(pattern)\\(\"([^\"]+)\"\\)")
          let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
          return try Set(
            files.filter { ["c", "swift"].contains($0.pathExtension) }.flatMap { file in
              try String(contentsOf: file, encoding: .utf8).matches(of: expression)
                .compactMap { $0.output[1].substring.map(String.init) }
            })
        }
        let met = ContainmentTests.allFaults.compactMap {
          if case .decoderMisbehaved(let text) = $0.error { text } else { nil }
        }

        let faults = try found("IS", in: sabotage)
        let reasons = try found("isbehaved", in: checks)

        #expect(faults.count > 30 && reasons.count > 10)
        #expect(
          faults.subtracting(ContainmentTests.allFaults.map(\.fault))
            == [
              "endless-allocation", "chatter", "false-profile", "huge-profile", "hold", "keep", "seal",
              "burn", "huge-info", "endless-animation", "deaf-animation",
            ])
        #expect(
          reasons.subtracting(met)
            == [
              "it claims a color profile that is none", "it claims a color profile beyond the limits",
              "its header is beyond what a file can express", "it has more frames than the limit",
              "it has closed its channel, and does not end", "it claims a gain map beyond the limits",
              "it claims a gain map that is none", "it claims metadata that is none",
              "it has more bytes than the limit",
            ])
      }

      @Test(
        "An invalid or oversized color profile from a worker is refused",
        arguments: [
          ("false-profile", "it claims a color profile that is none"),
          ("huge-profile", "it claims a color profile beyond the limits"),
        ])
      func profiles(fault: String, reason: String) throws {
        let options = DecodingOptions(limits: Self.limits(), colors: .asStored)

        #expect(throws: ImageCodecError.decoderMisbehaved(reason)) {
          try Self.decoder().decode(Workers.image(fault), options: options)
        }
      }

      @Test("A worker that writes to standard error still returns its image")
      func chatter() throws {
        let worker = try NamedWorker("HostileWorker")
        let decoder = Self.decoder(named: worker)
        let file = try Workers.image("chatter")
        let image = try ImageDecoder.decode(file)

        for _ in 0..<3 { #expect(try decoder.decode(file) == image) }

        #expect(try decoder.decode(Files.bytes("picture.png")) == Files.image("picture.png"))
        #expect(Workers.processes(worker.name).count == 1)
      }

      @Test("A worker cannot seal its input memory against reuse")
      func sealed() throws {
        let worker = try NamedWorker("HostileWorker")
        let decoder = Self.decoder(named: worker)
        _ = try decoder.decode(Workers.image("seal"))
        let first = Workers.processes(worker.name)

        for _ in 0..<3 { #expect(throws: Never.self) { try decoder.decode(Files.bytes("picture.png")) } }

        #expect(first.count == 1 && Workers.processes(worker.name) == first)
      }

      @Test(
        "A worker that hoards request memory holds at most two blocks",
        arguments: ["hold", "keep"])
      func hoard(fault: String) throws {
        let worker = try NamedWorker("HostileWorker")
        let decoder = Self.decoder(named: worker)
        let good = try Files.bytes("picture.png")
        var (most, right) = (0, 0)

        _ = try? decoder.decode(Workers.image(fault))
        for _ in 0..<12 {
          for process in Workers.processes(worker.name) {
            most = max(most, Workers.memories(of: process).count)
          }
          if (try? decoder.decode(good)) == (try Files.image("picture.png")) { right += 1 }
        }

        #expect(most <= 2)
        #expect(right >= 10)
      }

      @Test("A worker that fails with full memory keeps at most 4 MiB")
      func reclaimed() throws {
        let worker = try NamedWorker("HostileWorker")
        let decoder = Self.decoder(named: worker)

        #expect(throws: ImageCodecError.truncated) { try decoder.decode(Workers.image("hold")) }

        withExtendedLifetime(decoder) {
          let held = Workers.processes(worker.name).flatMap { Workers.memories(of: $0) }
          #expect(held.reduce(0, +) <= 4 << 20)
        }
      }

      @Test("A worker that uses processor time while idle is ended")
      func burning() throws {
        let worker = try NamedWorker("HostileWorker")
        let decoder = Self.decoder(Self.limits(deadline: .seconds(3)), named: worker)
        // Idle workers are looked at again and again.
        for _ in 0..<2 {
          _ = try decoder.decode(Workers.image("burn"))
          let burner = try #require(Workers.processes(worker.name).first)

          #expect(Self.waits { !Workers.processes(worker.name).contains(burner) })

          #expect(try decoder.decode(Files.bytes("picture.png")) == Files.image("picture.png"))
        }
      }

      @Test("A worker that used processor time while idle is replaced before the next image")
      func burned() throws {
        let worker = try NamedWorker("HostileWorker")
        let decoder = Self.decoder(named: worker)
        _ = try decoder.decode(Workers.image("burn"))
        let burner = try #require(Workers.processes(worker.name).first)
        #expect(Self.waits { Workers.processorTime(of: burner) > .milliseconds(800) })

        #expect(try decoder.decode(Files.bytes("picture.png")) == Files.image("picture.png"))

        #expect(!Workers.processes(worker.name).contains(burner))
      }

      @Test("A worker header with sides of 2^48 pixels is refused")
      func header() throws {
        let reason = ImageCodecError.decoderMisbehaved("its header is beyond what a file can express")

        #expect(throws: reason) { try Self.decoder().info(of: Workers.image("huge-info")) }
      }

      @Test("A worker with endless frames is stopped at the frame limit")
      func frames() throws {
        var options = DecodingOptions(limits: Self.limits())
        options.limits.maximumFrames = 20
        let reader = try Self.decoder().animation(Workers.image("endless-animation"), options: options)
        var count = 0

        let error = #expect(throws: ImageCodecError.self) {
          while try reader.next() != nil { count += 1 }
        }

        #expect(error == .decoderMisbehaved("it has more frames than the limit"))
        #expect(count == 20)
      }

      @Test("A frame that a worker claims to be shown for no time is shown for a tenth of a second")
      func hurry() throws {
        let reader = try Self.decoder().animation(Workers.image("endless-animation"))

        #expect(try reader.next()?.duration == .milliseconds(100))
      }

      @Test(
        "A worker that ignores closing is ended without blocking the releasing thread")
      func closing() throws {
        let worker = try NamedWorker("HostileWorker")
        let decoder = Self.decoder(named: worker)
        var quickest = Duration.seconds(60)
        for _ in 0..<5 {
          var reader: IsolatedAnimationReader? = try decoder.animation(Workers.image("deaf-animation"))
          _ = try reader?.next()
          #expect(Workers.processes(worker.name).count == 1)

          quickest = min(quickest, ContinuousClock().measure { reader = nil })

          #expect(Self.waits { Workers.processes(worker.name).isEmpty })
        }

        // The quickest of five: the machine may be busy.
        #expect(quickest < .milliseconds(isUnderSanitizer ? 500 : 20))
      }

      @Test("A hostile worker harms no image but its own among random faults")
      func many() throws {
        var limits = Self.limits(deadline: .milliseconds(400))
        limits.maximumEncodedBytes = 1 << 20
        let decoder = Self.decoder(limits)
        var options = DecodingOptions(limits: limits)
        let good = try ["picture.png", "baseline.jpg", "lossy.webp", "still.gif"].map {
          (bytes: try Files.bytes($0), image: try Files.image($0))
        }
        let faults =
          ContainmentTests.faults.map(\.fault) + ["endless-allocation", "hold", "keep", "burn", "chatter"]
        var random = SeededRandom(seed: 37)
        var (wrong, failures) = (0, 0)
        var codes: [String: Int] = [:]

        for index in 0..<attackCount {
          let fault = index < faults.count ? faults[index] : faults[random.below(faults.count)]
          if isUnderSanitizer, fault == "endless-allocation" { continue }
          options.limits.deadline = .milliseconds(400)
          do throws(ImageCodecError) {
            _ = try decoder.decode(try! Workers.image(fault), options: options)
            codes["none", default: 0] += 1
          } catch {
            codes[error.code, default: 0] += 1
          }
          options.limits.deadline = .seconds(60)
          let (bytes, image) = good[random.below(good.count)]
          do throws(ImageCodecError) {
            if try decoder.decode(bytes, options: options) != image { wrong += 1 }
          } catch {
            failures += 1
            Issue.record("after \(fault): \(error)")
          }
        }

        print("attacks: \(attackCount), \(wrong) wrong, \(failures) later failures: \(codes)")
        #expect(wrong == 0)
        #expect(failures == 0)
        withExtendedLifetime(decoder) { #expect(Workers.remains.descriptors <= 8) }
      }
    }
  }
#endif
