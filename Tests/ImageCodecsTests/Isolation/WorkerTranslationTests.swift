#if os(Linux)
  import ImageCodecs
  import Testing

  extension IsolationTests {
    @Suite("Worker message encoding")
    struct WorkerTranslationTests {
      @Test("Decoding options survive encoding in a request, with limits clamped")
      func options() {
        var options = DecodingOptions()
        #expect(WorkerProbe.passed(options) == options)

        let limits: [WritableKeyPath<DecodingLimits, Int>] = [
          \.maximumEncodedBytes, \.maximumSide, \.maximumPixels, \.maximumDecodedBytes, \.maximumWorkingBytes,
          \.maximumPixelsPerByte, \.maximumScans, \.maximumFrames, \.maximumWarnings, \.maximumMetadataBytes,
        ]
        for (number, path) in limits.enumerated() { options.limits[keyPath: path] = 1_000 + number }
        for oversize in DecodingLimits.Oversize.allCases {
          for deadline in [Duration.zero, .microseconds(1), .seconds(7)] {
            (options.limits.oversize, options.limits.deadline) = (oversize, deadline)
            #expect(WorkerProbe.passed(options) == options)
          }
        }
        for (usesThumbnail, keepsDepth) in [(true, false), (false, true)] {
          (options.usesEmbeddedThumbnail, options.keepsDepth) = (usesThumbnail, keepsDepth)
          for colors in [DecodingOptions.Colors.sRGB, .asStored] {
            options.colors = colors
            #expect(WorkerProbe.passed(options) == options)
          }
        }
        for path in limits {
          var extreme = options
          extreme.limits[keyPath: path] = .max
          #expect(WorkerProbe.passed(extreme)?.limits[keyPath: path] == 1 << 48)
          extreme.limits[keyPath: path] = -1
          #expect(WorkerProbe.passed(extreme)?.limits[keyPath: path] == 0)
        }
        options.limits.deadline = .seconds(Int64.max)
        #expect(WorkerProbe.passed(options)?.limits.deadline == .microseconds(1 << 48))
      }

      @Test("Resize targets survive encoding in a request")
      func targets() {
        for (width, height) in [(nil, 7.5), (3.25, nil), (40, 30)] as [(Double?, Double?)] {
          for mode in ResizeTarget.Mode.allCases {
            for (crops, upscales) in [(true, false), (false, true), (true, true), (false, false)] {
              for light in Image.Light.allCases {
                let target = ResizeTarget(
                  width: width, height: height, mode: mode, crops: crops, upscales: upscales, light: light)
                #expect(WorkerProbe.passed(DecodingOptions(target: target))?.target == target)
              }
            }
          }
        }
      }

      @Test("Errors survive encoding in a reply")
      func errors() {
        let hints = ContentHint.allCases.map { ImageCodecError.notAnImage($0) }
        let formats = ImageFormat.allCases.map { ImageCodecError.unsupportedFormat($0) }
        let sizes: [DecodingLimits.Size] = [.side(4), .pixels(5), .bytes(6), .pixelsPerByte(7)]
        let work: [DecodingLimits.Work] = [
          .encodedBytes(1), .workingBytes(2), .scans(3), .frames(4), .warnings(5), .elements(6),
        ]
        let others: [ImageCodecError] = [
          .unsupportedFeature("a"), .missingLibrary("b"), .truncated, .corrupt("c"), .invalidSize("d"),
          .invalidSetting("e"), .deadlineExceeded, .cancelled, .outOfMemory, .resamplingFailed("f"),
        ]
        for error in hints + formats + others + sizes.map({ .tooLarge(width: 8, height: 9, limit: $0) })
          + work.map({ .limitExceeded($0) })
        {
          #expect(WorkerProbe.passed(error) == error)
        }

        let stranger = ImageCodecError.encodingFailed("no")
        #expect(WorkerProbe.passed(stranger) == .corrupt(stranger.description))
        #expect(
          WorkerProbe.passed(.tooLarge(width: .max, height: -1, limit: .side(1)))
            == .tooLarge(width: 1 << 48, height: 0, limit: .side(1)))
      }

      @Test("Image headers survive encoding in a reply")
      func headers() throws {
        for format in ImageFormat.allCases {
          for orientation in ImageOrientation.allCases {
            for flags in 0..<8 {
              let info = ImageInfo(
                format: format, storedSize: PixelSize(width: 11, height: 12), orientation: orientation,
                hasAlpha: flags & 1 == 1, isProgressive: flags & 2 == 2, isAnimated: flags & 4 == 4,
                bitsPerComponent: 16)
              #expect(WorkerProbe.passed(info) == info)
            }
          }
        }
        let info = ImageInfo(
          format: .gif, storedSize: PixelSize(width: 1, height: 2), orientation: .up, hasAlpha: true,
          isProgressive: false, isAnimated: true, bitsPerComponent: 8)
        for plays in [nil, 0, 1, 7] {
          let passed = try #require(WorkerProbe.passed(info, plays: plays))
          #expect(passed.info == info && passed.plays == plays)
        }
      }

      @Test("A reply that claims an impossible image or memory offset is refused")
      func claims() {
        let beyond = "it claims an image beyond the limits", nowhere = "it claims memory that there is not"
        let options = DecodingOptions(colors: .asStored)
        func reply(_ changes: [(field: Int, value: Int)], profile: Int = 200) -> String {
          var bytes = WorkerProbe.reply(width: 10, height: 10, profile: profile)
          for (field, value) in changes {
            withUnsafeBytes(of: Int64(value).littleEndian) {
              bytes.replaceSubrange(field * 8..<field * 8 + 8, with: $0)
            }
          }
          switch WorkerProbe.decode(reply: bytes, options: options) {
          case .success: return "an image"
          case .failure(.decoderMisbehaved(let reason)): return reason
          case .failure(let error): return "\(error)"
          }
        }
        let (width, height, offset, profileOffset, profileCount) = (5, 6, 10, 11, 12)

        #expect(reply([], profile: 0) == "an image")
        // It is the reply to an earlier request, or to none.
        for number in [0, 2] {
          #expect(reply([(3, number)], profile: 0) == "its reply does not match the request")
        }
        #expect(reply([(4, 0)], profile: 0) == "it has not received the memory of this request")
        for side in [0, 1 << 26] {
          #expect(reply([(width, side)]) == beyond)
          #expect(reply([(height, side)]) == beyond)
        }
        #expect(reply([(width, 60_000), (height, 60_000)]) == beyond)
        // No number of a message is as large.
        #expect(reply([(width, 1 << 48)]) == beyond && reply([(width, (1 << 48) + 1)]) != beyond)
        for place in [1, 100, 1 << 40] {
          #expect(reply([(offset, place)]) == nowhere)
          #expect(reply([(profileOffset, place)]) == nowhere)
        }
        #expect(reply([(offset, 4096)], profile: 0) == "an image")
        #expect(reply([(profileCount, 1 << 40)]) == nowhere)
        #expect(reply([(profileCount, 5 << 20)]) == "it claims a color profile beyond the limits")
        #expect(reply([(profileCount, 0)]) == "it claims a color profile beyond the limits")
        #expect(reply([]) == "it claims a color profile that is none")
        #expect(reply([(0, 1)], profile: 0) != "an image" && reply([(1, 99)], profile: 0) != "an image")
      }

      @Test("The limits of an isolated decoder apply to every image")
      func limits() throws {
        var limits = DecodingLimits()
        (limits.maximumDecodedBytes, limits.maximumEncodedBytes) = (1_000, 500)
        let decoder = IsolatedImageDecoder(Workers.hostile, limits: limits)
        let small = try ImageEncoder.encode(Samples.flat(10, 10, [1, 2, 3]), as: .png)
        let large = try ImageEncoder.encode(Samples.flat(100, 100, [1, 2, 3]), as: .png)

        #expect(try decoder.decode(small).size == PixelSize(width: 10, height: 10))
        #expect(throws: ImageCodecError.tooLarge(width: 100, height: 100, limit: .bytes(1_000))) {
          try decoder.decode(large)
        }
        #expect(throws: ImageCodecError.notAnImage(.empty)) { try decoder.decode([]) }
        #expect(throws: ImageCodecError.limitExceeded(.encodedBytes(500))) {
          try decoder.decode(small + [UInt8](repeating: 0, count: 500))
        }
      }

      @Test("A deadline is passed to the microsecond, and not below zero")
      func deadlines() {
        for (deadline, passed) in [
          (Duration.microseconds(1), Duration.microseconds(1)), (.microseconds(-1), .zero),
          (.microseconds(1 << 48), .microseconds(1 << 48)),
          (.microseconds(1 << 48 + 1), .microseconds(1 << 48)),
        ] {
          var options = DecodingOptions()
          options.limits.deadline = deadline
          #expect(WorkerProbe.passed(options)?.limits.deadline == passed)
        }
      }

      @Test(
        "The rule for files that end early survives encoding in a request",
        arguments: DecodingLimits.Incomplete.allCases)
      func incomplete(rule: DecodingLimits.Incomplete) {
        var options = DecodingOptions()
        options.limits.incomplete = rule
        #expect(WorkerProbe.passed(options) == options)
      }

      @Test(
        "The limits of a renderer are clamped to what a message can hold",
        .enabled(if: Drawing.isPossible, "librsvg is not there"))
      func drawing() throws {
        var renderer = try SVGRenderer()
        for (number, expected) in [(-1, 0), (0, 0), (1, 1), (1 << 48, 1 << 48), (.max, 1 << 48)] {
          renderer.maximumBytes = number
          renderer.maximumElements = 11
          renderer.maximumPaintedPixels = 12
          renderer.defaultSize = PixelSize(width: 13, height: 14)
          #expect(WorkerProbe.passed(renderer) == [expected, 11, 12, 13, 14])
          (renderer.maximumBytes, renderer.maximumElements) = (10, number)
          #expect(WorkerProbe.passed(renderer) == [10, expected, 12, 13, 14])
          (renderer.maximumElements, renderer.maximumPaintedPixels) = (11, number)
          #expect(WorkerProbe.passed(renderer) == [10, 11, expected, 13, 14])
          renderer.maximumPaintedPixels = 12
          renderer.defaultSize = PixelSize(width: number, height: 14)
          #expect(WorkerProbe.passed(renderer) == [10, 11, 12, expected, 14])
          renderer.defaultSize = PixelSize(width: 13, height: number)
          #expect(WorkerProbe.passed(renderer) == [10, 11, 12, 13, expected])
        }
      }
    }
  }
#endif
