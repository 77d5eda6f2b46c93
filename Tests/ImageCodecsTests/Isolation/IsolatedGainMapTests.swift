#if os(Linux)
  import ImageCodecs
  import Testing

  extension IsolationTests {
    @Suite("Gain maps from a worker process")
    struct IsolatedGainMapTests {
      @Test("`IsolatedImageDecoder` gives the same gain maps as `ImageDecoder`")
      func isolated() throws {
        let decoder = IsolatedImageDecoder()
        var options = [GainMaps.decoding, DecodingOptions(target: .fitting(20), keepsGainMap: true)]
        options.append(DecodingOptions())
        let large = try ImageEncoder.encode(GainMaps.photograph(), as: .jpeg())
        let files = try [Files.bytes("gain-map-iso.jpg"), Files.bytes("gain-map-xmp.jpg"), large]

        for (bytes, options) in files.flatMap({ file in options.map { (file, $0) } }) {
          let image = try decoder.decode(bytes, options: options)

          #expect((image.gainMap != nil) == options.keepsGainMap)
          #expect(image == (try ImageDecoder.decode(bytes, options: options)))
        }
      }

      @Test("The request for a gain map survives encoding in a request")
      func option() {
        #expect(WorkerProbe.passed(GainMaps.decoding) == GainMaps.decoding)
      }

      @Test("A reply that claims an impossible gain map is refused")
      func claims() {
        let beyond = "it claims a gain map beyond the limits"
        let (width, height, format, offset, numbers) = (15, 16, 17, 18, 19)
        func reply(
          _ changes: [(field: Int, value: Int64)] = [], options: DecodingOptions = GainMaps.decoding
        ) -> String {
          let bytes = WorkerProbe.reply(width: 10, height: 10, gainMap: GainMaps.metadata)
          switch WorkerProbe.decode(reply: changes.reduce(bytes) { Self.changed($0, $1) }, options: options) {
          case .success(let image?): return image.gainMap == nil ? "an image" : "a gain map"
          case .success(nil): return "nothing"
          case .failure(.decoderMisbehaved(let reason)): return reason
          case .failure(let error): return "\(error)"
          }
        }

        #expect(reply() == "a gain map")
        #expect(reply(options: DecodingOptions()) == beyond)
        for side: Int64 in [0, 11, 1 << 40] {
          #expect(reply([(width, side)]) == beyond)
          #expect(reply([(height, side)]) == beyond)
        }
        for place: Int64 in [1, 100, 1 << 40] {
          #expect(reply([(offset, place)]) == "it claims memory that there is not")
        }
        let none = "it claims a gain map that is none"
        let wide = Image.PixelFormat.allCases.firstIndex(of: .rgba8).map { Int64($0) } ?? 0
        #expect(reply([(format, wide)]) == none)
        #expect(reply([(format, 99)]) == "it replied with something that is not a reply")
        for number in numbers..<numbers + 17 {
          for value in [Double.nan, .infinity, -.infinity, 1e9] {
            #expect(reply([(number, Int64(bitPattern: value.bitPattern))]) == none)
          }
        }
      }

      private static func changed(_ reply: [UInt8], _ change: (field: Int, value: Int64)) -> [UInt8] {
        var reply = reply
        withUnsafeBytes(of: change.value.littleEndian) {
          reply.replaceSubrange(change.field * 8..<change.field * 8 + 8, with: $0)
        }
        return reply
      }
    }
  }
#endif
