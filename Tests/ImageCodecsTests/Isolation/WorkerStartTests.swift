#if os(Linux)
  import Foundation
  import ImageCodecs
  import Testing

  extension IsolationTests {
    @Suite("Starts of workers")
    struct WorkerStartTests {
      @Test("A worker that lacks a required protection is given no image")
      func unprotected() throws {
        guard case .path(let hostile) = Workers.hostile.program else { return }
        let required = ImageWorker.Protections.required
        for bit in (0..<8).map({ ImageWorker.Protections(rawValue: 1 << $0) }) {
          let kept = ImageWorker.Protections(rawValue: 255).subtracting(bit)
          let link = FileManager.default.temporaryDirectory.appending(
            path: "protected-by-\(kept.rawValue)-\(UInt32.random(in: 0 ... .max))")
          try FileManager.default.createSymbolicLink(at: link, withDestinationURL: URL(filePath: hostile))
          defer { try? FileManager.default.removeItem(at: link) }
          let decoder = IsolatedImageDecoder(WorkerSettings(program: .path(link.path)))

          let result = Result { () throws(ImageCodecError) in try decoder.protections() }

          let expected: Result<ImageWorker.Protections, ImageCodecError> =
            required.contains(bit) ? .failure(.isolationUnavailable(.unprotected(bit))) : .success(kept)
          #expect(result == expected)
        }
      }

      @Test("Protections, settings and failures are what they say")
      func names() {
        let required =
          "no new privileges, system calls (seccomp), processor time, descriptors, no dumps, ends with the program"
        #expect("\(ImageWorker.Protections.required)" == required)
        #expect("\([.files, .addressSpace] as ImageWorker.Protections)" == "files (Landlock), address space")
        let settings = WorkerSettings()
        #expect(
          settings.program == .automatic && settings.imagesPerWorker == nil && !settings.allowsForeignDecoders
        )
        let failures: [IsolationFailure] = [
          .platform, .programMissing, .notStarted("a"), .unprotected(.files), .foreignDecoder("b"),
        ]
        #expect(Set(failures.map(\.description)).count == 5 && failures.allSatisfy { "\($0)".count > 10 })
        #expect("\(failures[3])" == "the system does not enforce: files (Landlock)")
      }

      @Test("The limits of a process are those of its images, and time for many of them")
      func limits() {
        var limits = DecodingLimits()
        let room = 128 << 20
        func found() -> [Int] {
          let found = WorkerProbe.processLimits(limits)
          return [found.addressSpace, found.processorSeconds]
        }

        // Pixels twice, a profile, and a megabyte; the file, the pixels, and what is needed to make them.
        #expect(found() == [(517 + 64 + 256 + 512) << 20 + room, 160])
        (limits.maximumEncodedBytes, limits.maximumDecodedBytes) = (1 << 20, 2 << 20)
        limits.maximumWorkingBytes = 3 << 20
        // Instead of an image, metadata: twelve times the limit, and two megabytes.
        limits.maximumMetadataBytes = 1 << 20
        #expect(found() == [(14 + 1 + 2 + 3) << 20 + room, 160])
        limits.maximumMetadataBytes = 0
        #expect(found() == [(5 + 1 + 2 + 3) << 20 + room, 160])
        (limits.maximumEncodedBytes, limits.maximumWorkingBytes) = (-1, .max)
        #expect(found() == [(5 + 2) << 20 + 1 << 40 + room, 160])
        for (deadline, seconds) in [
          (Duration.zero, 120), (.milliseconds(250), 121), (.seconds(-60), 1),
          (.seconds(1 << 40), 1_000_000_000),
        ] {
          limits.deadline = deadline
          #expect(found()[1] == seconds)
        }
      }

      @Test("A worker is idle for as long as the deadline of an image, within bounds")
      func idle() {
        for (deadline, longest) in [
          (Duration.zero, Duration.milliseconds(200)), (.milliseconds(200), .milliseconds(200)),
          (.milliseconds(201), .milliseconds(201)), (.seconds(30), .seconds(30)),
          (.seconds(31), .seconds(30)),
        ] {
          var limits = DecodingLimits()
          limits.deadline = deadline
          #expect(WorkerProbe.processLimits(limits).idle == longest)
        }
      }
    }
  }
#endif
