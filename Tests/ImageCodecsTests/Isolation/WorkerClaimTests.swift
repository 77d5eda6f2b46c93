#if os(Linux)
  import ImageCodecs
  import Testing

  extension IsolationTests {
    @Suite("Bounds of worker claims")
    struct WorkerClaimTests {
      private static let page = 4096
      private static let (width, height, format, colors, offset) = (5, 6, 7, 8, 10)
      private static let (profileOffset, profileCount) = (11, 12)
      private static let beyond = "it claims an image beyond the limits"
      private static let nowhere = "it claims memory that there is not"
      private static let noProfile = "it claims a color profile that is none"

      private static func reply(_ changes: [Int: Int]) -> [UInt8] {
        var bytes = WorkerProbe.reply(width: 10, height: 10)
        for (field, value) in changes {
          withUnsafeBytes(of: Int64(value).littleEndian) {
            bytes.replaceSubrange(field * 8..<field * 8 + 8, with: $0)
          }
        }
        return bytes
      }

      private static func text(_ result: Result<Image?, ImageCodecError>) -> String {
        switch result {
        case .success(let image): image.map { "\($0.width) × \($0.height)" } ?? "nothing"
        case .failure(.decoderMisbehaved(let reason)): reason
        case .failure(let error): "\(error)"
        }
      }

      private static func found(_ changes: [Int: Int], _ options: DecodingOptions = DecodingOptions())
        -> String
      {
        text(WorkerProbe.decode(reply: reply(changes), options: options))
      }

      @Test("A claimed image has sides from 1 to the greatest of an image")
      func sides() {
        var options = DecodingOptions()
        options.limits.maximumPixels = 1 << 30
        let most = 1 << 24

        for (across, down) in [(1, 1), (most, 1), (1, most)] {
          #expect(Self.found([Self.width: across, Self.height: down], options) == "\(across) × \(down)")
        }
        for (across, down) in [(0, 1), (1, 0), (most + 1, 1), (1, most + 1)] {
          #expect(Self.found([Self.width: across, Self.height: down], options) == Self.beyond)
        }
      }

      @Test("A profile that an image does not use is no reply: it would stay in memory")
      func unusedProfiles() {
        for (colors, count, isRefused) in [(0, 0, false), (0, 1, true), (1, 0, false), (1, 500 << 20, true)] {
          let text = Self.found([Self.colors: colors, Self.profileCount: count])
          #expect((text == "it replied with something that is not a reply") == isRefused, "\(text)")
        }
      }

      @Test("A claimed image is within the limits of pixels and bytes in every format")
      func limits() {
        for (index, format) in Image.PixelFormat.allCases.enumerated() {
          let changes = [Self.format: index, Self.width: 9, Self.height: 7]
          let bytes = 63 * format.bytesPerPixel
          for (pixels, decoded, isDeep, expected) in [
            (63, bytes, true, "9 × 7"), (62, bytes, true, Self.beyond), (63, bytes - 1, true, Self.beyond),
            (63, bytes, false, format.bitsPerChannel == 16 ? Self.beyond : "9 × 7"),
          ] {
            var options = DecodingOptions(keepsDepth: isDeep)
            (options.limits.maximumPixels, options.limits.maximumDecodedBytes) = (pixels, decoded)
            #expect(Self.found(changes, options) == expected, "\(format), \(pixels), \(decoded), \(isDeep)")
          }
        }
      }

      @Test("A claimed image ends where the memory for pixels does")
      func memory() {
        for (decoded, metadata) in [(5 << 20, 3 << 20), (1_500_000, 12_345)] {
          var options = DecodingOptions()
          options.limits.maximumMetadataBytes = metadata
          options.limits.maximumDecodedBytes = decoded
          // Twice the pixels, and a profile, and a megabyte, in whole pages.
          let end = (decoded * 2 + metadata + 1 << 20) / Self.page * Self.page
          let gray = [Self.format: 0, Self.height: 1]
          func found(_ offset: Int, _ width: Int) -> String {
            Self.found(gray.merging([Self.offset: offset, Self.width: width]) { $1 }, options)
          }

          #expect(found(end - Self.page, Self.page) == "4096 × 1")
          #expect(found(end - Self.page, Self.page + 1) == Self.nowhere)
          #expect(found(end, 1) == Self.nowhere)
          #expect(found(Self.page, 1) == "1 × 1")
          for place in [1, Self.page - 1, Self.page + 1] { #expect(found(place, 1) == Self.nowhere) }
        }
      }

      @Test("Pixels and profile of a worker begin at pages, even where these have 64 KiB")
      func pages() throws {
        let profile = try #require(ICCProfile.displayP3)
        let image = try Samples.picture(50, 30, .rgb8, colorSpace: .profile(profile))
        let file = try ImageEncoder.encode(image, as: .png)
        let request = WorkerProbe.request(decoding: file, options: .asStored)

        let reply = try #require(WorkerProbe.serve(request: request, file: file))

        func number(_ field: Int) -> Int {
          (0..<8).reversed().reduce(0) { $0 << 8 | Int(reply[field * 8 + $1]) }
        }
        #expect(number(Self.colors) == 2 && number(Self.profileCount) == profile.bytes.count)
        #expect(number(Self.offset) != number(Self.profileOffset))
        for field in [Self.offset, Self.profileOffset] { #expect(number(field) % (1 << 16) == 0) }
      }

      @Test("The memory for pixels is bounded on both sides, whatever the limits are")
      func memoryBounds() {
        func memory(_ decoded: Int, _ metadata: Int) -> Int {
          var options = DecodingOptions()
          (options.limits.maximumDecodedBytes, options.limits.maximumMetadataBytes) = (decoded, metadata)
          let bytes = WorkerProbe.request(decoding: [], options: options)
          return (0..<8).reversed().reduce(0) { $0 << 8 | Int(bytes[5 * 8 + $1]) }
        }

        #expect(memory(0, 0) == 3 << 20 && memory(.min, .min) == 3 << 20)
        #expect(memory(1 << 20, 0) == 3 << 20 && memory(1 << 20 + 2048, 0) == 3 << 20 + 4096)
        #expect(memory(0, 4_095) == 3 << 20 && memory(0, 4_096) == 3 << 20 + 4096)
        #expect(memory(1 << 34, 0) == 2 << 34 + 1 << 20 && memory(.max, 0) == 2 << 34 + 1 << 20)
        #expect(memory(0, 1 << 28) == 3 << 20 + 1 << 28 && memory(0, .max) == 3 << 20 + 1 << 28)
      }

      @Test("A claimed profile has at least a byte, and no more than the limit")
      func profileCount() {
        var options = DecodingOptions(colors: .asStored)
        options.limits.maximumMetadataBytes = 5_000
        let changes = [Self.colors: 2, Self.profileOffset: Self.page]
        func found(_ count: Int) -> String {
          Self.found(changes.merging([Self.profileCount: count]) { $1 }, options)
        }

        for count in [1, 5_000] { #expect(found(count) == Self.noProfile) }
        for count in [0, 5_001] { #expect(found(count) == "it claims a color profile beyond the limits") }
        options.colors = .sRGB
        #expect(found(200) == "it kept a color profile")
      }

      @Test("A claimed profile is one for the claimed format")
      func profiles() {
        for (space, format, isRight) in [
          ("GRAY", 0, true), ("GRAY", 1, false), ("RGB ", 1, true), ("RGB ", 0, false),
        ] {
          let profile = Profiles.minimal(space)
          let result = WorkerPeer.decoding(DecodingOptions(colors: .asStored)) { worker in
            guard worker.receive() else { return false }
            worker.write(profile, at: Self.page)
            worker.write([7, 8, 9], at: 0)
            worker.reply(
              Self.reply([
                Self.width: 1, Self.height: 1, Self.format: format, Self.colors: 2,
                Self.profileOffset: Self.page,
                Self.profileCount: profile.count,
              ]))
            return false
          }

          #expect(Self.text(result) == (isRight ? "1 × 1" : Self.noProfile), "\(space), \(format)")
          guard isRight, case .success(let image?) = result else { continue }
          #expect(image.bytes == (format == 0 ? [7] : [7, 8, 9]))
          #expect(image.colorSpace.description == "profile of 244 bytes")
        }
      }

      @Test("A reply that is one byte too long is refused")
      func long() {
        let reply = Self.reply([:])
        #expect(Self.text(WorkerProbe.decode(reply: reply, options: DecodingOptions())) == "10 × 10")
        #expect(
          Self.text(WorkerProbe.decode(reply: reply + [0], options: DecodingOptions()))
            == "it replied with something that is not a reply")
      }

      @Test("The sides of a header are from 1 to the greatest that a file can hold")
      func headers() {
        let most = Int(UInt32.max)
        let refused = ImageCodecError.decoderMisbehaved("its header is beyond what a file can express")
        func refusal(_ width: Int, _ height: Int) -> ImageCodecError? {
          WorkerProbe.refusal(
            of: ImageInfo(
              format: .png, storedSize: PixelSize(width: width, height: height), orientation: .up,
              hasAlpha: false,
              isProgressive: false, isAnimated: false, bitsPerComponent: 8))
        }

        for (width, height) in [(1, 1), (most, 1), (1, most)] { #expect(refusal(width, height) == nil) }
        for (width, height) in [(0, 1), (1, 0), (most + 1, 1), (1, most + 1)] {
          #expect(refusal(width, height) == refused)
        }
      }

      @Test("Claimed bytes of metadata end where their memory does, and at the limit")
      func metadata() {
        var limits = DecodingLimits()
        limits.maximumMetadataBytes = 1_000
        let most = 12_000 + 1 << 20
        let end = (most + 1 << 20) / Self.page * Self.page
        func found(_ offset: Int, _ count: Int) -> String {
          switch WorkerProbe.metadata(offset: offset, count: count, limits: limits) {
          case .success(let metadata): metadata.isEmpty ? "empty" : "full"
          case .failure(.decoderMisbehaved(let reason)): reason
          case .failure(let error): "\(error)"
          }
        }

        // Blocks of zeros are ones without content; five bytes each.
        let whole = most / 5 * 5
        #expect(found(0, whole) == "empty" && found(end, 0) == "empty")
        #expect(found(end - Self.page, 5) == "empty" && found(end - Self.page, 4_095) == "empty")
        #expect(found(0, most) == (most == whole ? "empty" : "it claims metadata that is none"))
        #expect(found(0, most + 1) == "it has more bytes than the limit")
        #expect(found(end, 5) == Self.nowhere && found(end - Self.page, 4_100) == Self.nowhere)
        for (bytes, expected) in [(-1, 0), (0, 0), (1, 12), (1 << 28, 12 << 28), (.max, 12 << 28)] {
          limits.maximumMetadataBytes = bytes
          #expect(WorkerProbe.mostMetadata(limits) == expected + 1 << 20)
        }
      }

      @Test("Every part of metadata survives encoding in a reply")
      func parcels() throws {
        var metadata = ImageMetadata()
        #expect(WorkerProbe.passed(metadata) == metadata)
        metadata.exif = ExifData(bytes: ExifFile.photograph(isBigEndian: false).bytes)
        #expect(metadata.exif != nil && WorkerProbe.passed(metadata) == metadata)
        metadata.xmp = XMPData(bytes: Array(PhotographFile.xmp.utf8))
        metadata.iptc = IPTCData(bytes: [0x1C, 2, 120, 0, 3, 0x61, 0x62, 0x63])
        metadata.colorProfile = ICCProfile(bytes: Profiles.minimal())
        metadata.texts = ["Title": "Tower", "": "ä", "Author": ""]
        #expect(metadata.xmp != nil && metadata.iptc != nil && metadata.colorProfile != nil)
        #expect(WorkerProbe.passed(metadata) == metadata)
      }

      @Test("Bytes that are not metadata are refused")
      func falseParcels() {
        func part(_ kind: UInt8, _ count: UInt8, _ text: String) -> [UInt8] {
          [kind, 0, 0, 0, count] + Array(text.utf8)
        }

        #expect(WorkerProbe.parcel([])?.isEmpty == true)
        #expect(WorkerProbe.parcel(part(4, 1, "a") + part(5, 2, "bc"))?.texts == ["a": "bc"])
        for bytes in [
          part(5, 1, "a"), part(4, 1, "a") + part(5, 1, "b") + part(5, 1, "c"), part(6, 0, ""),
          part(4, 2, "a"),
          [4, 0, 0, 0], part(4, 0, "a"),
        ] {
          #expect(WorkerProbe.parcel(bytes) == nil, "\(bytes)")
        }
      }
    }
  }
#endif
