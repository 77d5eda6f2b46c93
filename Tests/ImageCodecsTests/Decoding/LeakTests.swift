#if canImport(Glibc)
  import CCodecs
  import ImageCodecs
  import TestSupport
  import Testing

  // In processes of their own with one heap: what tests beside them take would be counted.
  @Suite(
    "Memory leaks",
    .enabled(if: !isSanitized, "a sanitizer has a heap of its own, and looks for leaks itself"))
  struct LeakTests {
    @Test("A decoder leaks no memory when it succeeds, fails or is cancelled")
    func decoding() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        Heap.useOneArena()
        for (name, file) in try Leaks.files() {
          for (way, decode) in Leaks.ways(of: file) { Leaks.report("\(way) \(name)", each: 10, decode) }
        }
      }
      expectNone(result)
    }

    @Test("Encoders, filters and color profiles leak no memory")
    func others() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        Heap.useOneArena()
        for (name, work) in try Leaks.encoders() + Leaks.filters() + Leaks.profiles() {
          // x265 3.5 loses a copy of its parameters with each encoder, in a program in C as well.
          Leaks.report(name, each: 12, allowing: name.contains("heic") ? 4096 : 16, work)
        }
      }
      expectNone(result)
    }

    private func expectNone(_ result: ExitTest.Result?) {
      let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
      #expect(output.split(separator: "\n").filter { $0.contains("leak: ") } == [])
    }
  }

  private enum Leaks {
    typealias Work = () -> Void

    static func report(_ name: String, each count: Int, allowing allowed: Int = 16, _ work: Work) {
      let bytes = Heap.leaked(each: count, work)
      if bytes > allowed { print("leak: \(bytes) bytes of \(name)") }
    }

    static let encodings =
      ([
        .jpeg(), .jpeg(progressive: true), .png, .webp(quality: 0.8), .losslessWebP, .avif(quality: 0.5),
        .jpegXL(), .losslessJPEGXL(),
        .heic(quality: 0.5),
      ] as [ImageEncoder.Encoding]).writable

    static func files() throws -> [(String, [UInt8])] {
      let image = try Samples.picture(24, 16, .rgba8)
      var files = try encodings.map { ("\($0)", try ImageEncoder.encode(image, as: $0)) }
      for name in [
        "disposed.gif", "interlaced.gif", "deep.tiff", "fax.tiff", "jpeg.tiff", "palette.tiff", "planes.tiff",
        "bitmap.ico", "png.ico", "runs.bmp", "animated.webp", "animated.png", "cmyk.jpg", "interlaced.png",
        "deep.png", "deep.avif", "deep.jxl", "wide.jxl", "transcoded.jxl", "deep.heic", "orientation-5.jpg",
      ] {
        files.append((name, try Files.bytes(name)))
      }
      let profile = try #require(ICCProfile(bytes: Profiles.minimal()))
      let colored = try Samples.picture(24, 16, .rgb8, colorSpace: .profile(profile))
      for encoding in [.jpeg(), .png] as [ImageEncoder.Encoding] {
        files.append(("\(encoding) with a profile", try ImageEncoder.encode(colored, as: encoding)))
      }
      return files
    }

    static func ways(of file: [UInt8]) -> [(String, Work)] {
      let half = Array(file.prefix(file.count / 2))
      var poor = DecodingOptions(), small = DecodingOptions(target: ResizeTarget(width: 7, height: 7))
      poor.limits.maximumWorkingBytes = 1_000
      small.keepsDepth = true
      return [
        ("decoding", { _ = try? ImageDecoder.decode(file) }),
        ("decoding small", { _ = try? ImageDecoder.decode(file, options: small) }),
        ("decoding with little memory", { _ = try? ImageDecoder.decode(file, options: poor) }),
        ("decoding a half of", { _ = try? ImageDecoder.decode(half) }),
        ("decoding what is there of a half of", { _ = try? ImageDecoder.decodeAvailable(half) }),
        ("decoding damages of", { damage(file) }),
        (
          "cancelling",
          { cancel { isCancelled in _ = try ImageDecoder.decode(file, isCancelled: isCancelled) } }
        ),
        ("the frames of", { _ = try? frames(of: file) }),
        (
          "cancelling the frames of",
          { cancel { isCancelled in _ = try frames(of: file, isCancelled: isCancelled) } }
        ),
        ("the thumbnail of", { _ = try? ImageDecoder.embeddedThumbnail(of: file) }),
      ]
    }

    /// Once after each of the first questions whether to go on.
    private static func cancel(_ work: (@escaping () -> Bool) throws -> Void) {
      for allowed in [0, 1, 2, 5] {
        var questions = 0
        try? work {
          questions += 1
          return questions > allowed
        }
      }
    }

    private static func damage(_ file: [UInt8]) {
      for place in stride(from: file.count / 3, to: file.count, by: max(1, file.count / 4)) {
        var file = file
        file[place] ^= 0x55
        _ = try? ImageDecoder.decode(file)
      }
    }

    private static func frames(
      of file: [UInt8], isCancelled: @escaping () -> Bool = { false }
    ) throws -> Int {
      let reader = try AnimationReader(file, isCancelled: isCancelled)
      var count = 0
      while try reader.next() != nil { count += 1 }
      return count
    }

    static func encoders() throws -> [(String, Work)] {
      let profile = try #require(ICCProfile(bytes: Profiles.minimal()))
      let images = try ([.gray8, .rgba8, .rgb16] as [Image.PixelFormat]).map {
        try Samples.picture(24, 16, $0, colorSpace: $0 == .rgba8 ? .profile(profile) : .sRGB)
      }
      return encodings.flatMap { encoding in
        images.map { image in
          (
            "encoding \(image.pixelFormat) as \(encoding)",
            { _ = try? ImageEncoder.encode(image, as: encoding) }
          )
        }
      } + [
        ("refusing a JPEG", { _ = try? ImageEncoder.encode(images[1], as: .jpeg(), maximumByteCount: 10) })
      ]
    }

    static func filters() throws -> [(String, Work)] {
      let image = try Samples.picture(24, 16, .rgba8), large = try Samples.picture(300, 200, .rgb8)
      return [
        ("turning", { _ = try? image.turned(degrees: 30) }),
        ("orienting", { _ = try? large.oriented(.leftMirrored) }),
        ("resizing", { _ = try? large.resized(to: ResizeTarget(width: 20, height: 20)) }),
        ("blurring", { _ = try? large.blurred(radius: 3) }),
        ("sharpening", { _ = try? large.sharpened(radius: 2, amount: 1) }),
        ("rounding", { _ = try? image.rounded(radius: 4) }),
        ("blending", { _ = try? image.blended(with: image, mode: .softLight) }),
        ("recoloring", { _ = try? image.recolored(gamma: 0.5) }),
        ("drawing", { _ = try? Drawing.image(Drawing.document("<circle r='4'/>")) }),
        ("failing to draw", { _ = try? Drawing.image("<svg") }),
        ("inflating", { inflate() }),
        ("tone mapping", { mapTones() }),
      ]
    }

    /// To the end, and without the end.
    private static func inflate() {
      let text = [UInt8](repeating: 7, count: 500), zip = GZipFile.stored(text), zlib = Deflate.stored(text)
      var room = text, written = 0
      for missing in [0, 1] {
        _ = codec_gzip_inflate(zip, zip.count - missing, &room, room.count, &written)
        _ = codec_zlib_inflate(zlib, zlib.count - missing, &room, room.count, &written)
      }
    }

    private static func mapTones() {
      let numbers = [Float](repeating: 0.3, count: 9)
      codec_tone_mapping_destroy(codec_tone_mapping_create(true, 1_000, numbers, numbers, 3, true))
    }

    static func profiles() -> [(String, Work)] {
      let profile = Profiles.minimal(), gray = Profiles.minimal("GRAY")
      return [
        (
          "a profile of primaries",
          {
            var count = 0
            codec_free(codec_profile_of_primaries([0.64, 0.33, 0.3, 0.6, 0.15, 0.06], &count))
          }
        ),
        (
          "a profile of CIELab",
          {
            codec_profile_transform_destroy(codec_profile_transform_create_for_lab(true))
            codec_profile_transform_destroy(nil)
          }
        ),
        (
          "a profile that is not of these pixels",
          {
            for (profile, channels) in [(profile, 1), (gray, 3), (profile, 4), (gray, 1), ([1, 2, 3], 3)]
              as [([UInt8], UInt32)]
            {
              codec_profile_transform_destroy(
                codec_profile_transform_create(profile, profile.count, channels, false))
            }
          }
        ),
        (
          "a profile of gray",
          {
            for profile in [profile, Profiles.linearGray] {
              codec_profile_transform_destroy(
                codec_profile_transform_create_for_gray(profile, profile.count, 4, false))
            }
          }
        ),
        (
          "a profile of inks",
          {
            codec_profile_transform_destroy(
              codec_profile_transform_create_for_inks(profile, profile.count, true))
          }
        ),
      ]
    }
  }
#endif
