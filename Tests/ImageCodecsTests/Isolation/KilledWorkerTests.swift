#if os(Linux)
  import Dispatch
  import Foundation
  import ImageCodecs
  import Synchronization
  import Testing

  extension IsolationTests {
    @Suite("Killed workers")
    struct KilledWorkerTests {
      /// `ISOLATION_KILLS` is how many there are; a few by default.
      private static let killCount =
        ProcessInfo.processInfo.environment["ISOLATION_KILLS"].flatMap { Int($0) } ?? 12

      @Test("A worker killed at any moment causes no wrong image and leaves nothing behind")
      func killed() throws {
        let files = try ["picture.png", "baseline.jpg", "lossy.webp", "still.gif"].map {
          (bytes: try Files.bytes($0), image: try Files.image($0))
        }
        let large = (bytes: try Files.photograph(), image: try ImageDecoder.decode(Files.photograph()))
        let worker = try NamedWorker()
        let decoder = IsolatedImageDecoder(worker.settings)
        let before = Workers.remains
        let kills = Atomic(0)
        let isOver = Atomic(false)
        let images = Atomic(0)
        let killer = DispatchGroup()
        DispatchQueue(label: "killer").async(group: killer) {
          var pause = UInt64(1)
          while !isOver.load(ordering: .relaxed) {
            for process in Workers.processes(worker.name) where kill(process, SIGKILL) == 0 {
              kills.add(1, ordering: .relaxed)
            }
            // After some more images, or when there are none for long; and then at any moment of the next.
            pause = pause &* 6_364_136_223_846_793_005 &+ 1
            let enough = images.load(ordering: .relaxed) + Int(pause >> 60)
            let late = ContinuousClock.now + .milliseconds(500)
            while images.load(ordering: .relaxed) < enough, ContinuousClock.now < late { sched_yield() }
            let end = ContinuousClock.now + .microseconds(Int(pause >> 33) % 4_000)
            while ContinuousClock.now < end { sched_yield() }
          }
        }

        var (good, failed) = (0, 0)
        var codes: Set<String> = []
        while kills.load(ordering: .relaxed) < Self.killCount {
          for (bytes, image) in files + [large] {
            do throws(ImageCodecError) {
              let decoded = try decoder.decode(bytes)
              good += 1
              images.add(1, ordering: .relaxed)
              if decoded != image { Issue.record("a wrong image") }
            } catch {
              failed += 1
              codes.insert(error.code)
            }
          }
        }
        isOver.store(true, ordering: .relaxed)
        killer.wait()
        // The last one may not have ended yet.
        while (try? decoder.decode(files[0].bytes)) == nil {}

        print(
          "killed: \(kills.load(ordering: .relaxed)) workers, \(good) images right, \(failed) failed: \(codes)"
        )
        // The kernel kills in the same way when there is no memory.
        #expect(codes.isSubset(of: ["codec.out-of-memory", "codec.isolation-unavailable.not-started"]))
        for (bytes, image) in files { #expect(try decoder.decode(bytes) == image) }
        withExtendedLifetime(decoder) {
          #expect(Workers.processes(worker.name).count <= 1)
          #expect(Workers.remains.mappings == before.mappings)
          // The one worker that is idle has a pidfd, and memory for its next file.
          #expect(Workers.remains.descriptors <= before.descriptors + 2)
        }
      }
    }
  }
#endif
