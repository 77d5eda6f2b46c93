#if os(Linux)
  import Foundation
  import ImageCodecs
  import Testing

  extension IsolationTests {
    @Suite("`IsolatedImageDecoder`")
    struct IsolatedImageDecoderTests {
      static let files = [
        "baseline.jpg", "progressive.jpg", "cmyk.jpg", "gray.jpg", "orientation-6.jpg", "wide.jpg",
        "picture.png",
        "transparent.png", "deep.png", "palette.png", "interlaced.png", "lossy.webp", "lossless.webp",
        "animated.webp", "still.gif", "transparent.gif", "disposed.gif", "plain.bmp", "masked.ico",
        "plain.tiff",
        "jpeg.tiff", "picture.avif", "deep.avif", "orientation-5.avif", "picture.heic", "wide.heic",
        "picture.jxl", "deep.jxl", "wide.jxl",
        "transparent.heic",
      ]

      @Test("`IsolatedImageDecoder` gives the same pixels as `ImageDecoder` in every format")
      func pixels() throws {
        let decoder = IsolatedImageDecoder()
        var options = [DecodingOptions(), .asStored, DecodingOptions(target: .fitting(20), scale: 2)]
        options[1].keepsDepth = true

        for (file, options) in Self.files.flatMap({ file in options.map { (file, $0) } }) {
          let bytes = try Files.bytes(file)

          let image = try decoder.decode(bytes, options: options)

          #expect(image == (try ImageDecoder.decode(bytes, options: options)), "\(file)")
        }
        print("workers: \(try decoder.protections())")
      }

      @Test("`IsolatedImageDecoder` decodes an image in two lines of code")
      func usage() throws {
        let bytes = try Files.bytes("picture.png")
        let decoder = IsolatedImageDecoder()
        let image = try decoder.decode(bytes)

        #expect(image == (try Files.image("picture.png")))
      }

      /// Draws documents in workers of one decoder.
      private static func drawing() throws -> ([UInt8]) throws -> Image {
        let decoder = IsolatedImageDecoder(drawingBy: WorkerSettings(), limits: .default)
        let renderer = try SVGRenderer()
        return { document in
          try document.withUnsafeBytes { bytes in
            try decoder.drawing(bytes, renderer, options: DecodingOptions(), isCancelled: { false })
          }
        }
      }

      @Test(
        "A worker draws SVG like `SVGRenderer` and refuses text elements",
        .enabled(if: Drawing.isPossible, "librsvg is not there"))
      func drawings() throws {
        let drawn = try Self.drawing()

        #expect(try drawn(Files.bytes("shapes.svg")) == Drawing.image(Files.bytes("shapes.svg")))
        // These workers may not even look for them.
        for element in ["<text>A</text>", "<text\n y='9'>A</text>", "<a:text xmlns:a='b'/>"] {
          #expect(throws: ImageCodecError.unsupportedFeature("text in an SVG that a worker process draws")) {
            try drawn(Array(Drawing.document(element).utf8))
          }
        }
        #expect(throws: Never.self) {
          try drawn(Array(Drawing.document("<rect/><desc>some text </desc><textPath/>").utf8))
        }
      }

      @Test(
        "A worker without fonts refuses text that is compressed or in UTF-16, and draws every declared encoding",
        .enabled(if: Drawing.isPossible, "librsvg is not there"))
      func encodedDrawings() throws {
        let drawn = try Self.drawing()
        // A document of 10 by 10 pixels with the element `<text>A</text>`.
        let compressed = try #require(
          Data(
            base64Encoded: "H4sIAAAAAAACA7MpLktXqMjNySu2VcooKSmw0tcvLy/XKzfWyy9K1zcyMDDQB6pQUijPTCnJsFUyNFBS"
              + "yEjNTM8oAbPtbEpSK0rsHG30wbQNSK0dACjpwZ1TAAAA"))
        let wide = Array(Drawing.document("<text>A</text>").utf16).flatMap {
          [UInt8($0 & 255), UInt8($0 >> 8)]
        }
        let declared = #"<?xml version="1.0" encoding="windows-1251"?>"#
        let cyrillic = Drawing.document(#"<rect id="%" width="5" height="9" fill="red"/>"#)

        for document in [Array(compressed), wide] {
          #expect(throws: ImageCodecError.unsupportedFeature("text in an SVG that a worker process draws")) {
            try drawn(document)
          }
        }
        // A letter that is not ASCII.
        let bytes = (declared + cyrillic).utf8.map { $0 == UInt8(ascii: "%") ? 0xE6 : $0 }
        #expect(try drawn(bytes) == Drawing.image(bytes) { $0.isolation = .none })
      }

      @Test("A large image is mapped without a copy, and writing to it affects no other image")
      func large() throws {
        let decoder = IsolatedImageDecoder()
        let bytes = try Files.photograph()
        var image = try decoder.decode(bytes)
        let other = try decoder.decode(bytes)
        #expect(Workers.remains.mappings == (isUnderSanitizer ? Workers.remains.mappings : 2))

        _ = try image.withUnsafeMutableBytes { $0.initializeMemory(as: UInt8.self, repeating: 7) }

        #expect(image.pixel(x: 100, y: 100)?.red == 7)
        #expect(other == (try ImageDecoder.decode(bytes)))
      }

      @Test("A color profile larger than the pixels is returned from a worker")
      func largeProfile() throws {
        let image = try ImageEncoder.encode(Samples.flat(3, 2, [1, 2, 3]), as: .losslessWebP)
        let profile = WebPFile.chunk("ICCP", Profiles.minimal(padding: 5 << 20))
        let canvas = WebPFile.canvas(PixelSize(width: 3, height: 2), flags: 0x20)
        let file = WebPFile.riff(canvas + profile + Array(image[12...]))
        var options = DecodingOptions.asStored
        (options.limits.maximumDecodedBytes, options.limits.maximumMetadataBytes) = (1_000, 6 << 20)

        let here = try ImageDecoder.decode(file, options: options)
        let there = try IsolatedImageDecoder(limits: options.limits).decode(file, options: options)

        #expect(here.colorSpace.description == "profile of \(244 + 5 << 20) bytes")
        #expect(here == there)
      }

      @Test("A call whose limit on metadata exceeds the memory of a worker has that of the decoder")
      func metadataLimit() throws {
        var limits = DecodingLimits()
        (limits.maximumEncodedBytes, limits.maximumDecodedBytes) = (1 << 20, 1 << 20)
        limits.maximumWorkingBytes = 1 << 20
        let decoder = IsolatedImageDecoder(limits: limits)
        let file = try ImageEncoder.encode(Samples.flat(3, 2, [1, 2, 3]), as: .png)
        var options = DecodingOptions()
        options.limits.maximumMetadataBytes = 1 << 28

        #expect(try decoder.decode(file, options: options).size == PixelSize(width: 3, height: 2))
        #expect(try decoder.metadata(of: file, limits: options.limits).isEmpty)
      }

      @Test("A worker has the memory for metadata, also if that for images is less")
      func muchMetadata() throws {
        var limits = DecodingLimits()
        (limits.maximumEncodedBytes, limits.maximumDecodedBytes) = (1 << 20, 1 << 20)
        (limits.maximumWorkingBytes, limits.maximumMetadataBytes) = (1 << 20, 32 << 20)
        let decoder = IsolatedImageDecoder(limits: limits)
        let file = PNGFile.file(
          1, 1, color: 0, before: [("tEXt", Array("Author\0Ada".utf8))], rows: [[0, 0]])

        #expect(try decoder.metadata(of: file, limits: limits).texts == ["Author": "Ada"])
      }

      @Test("`IsolatedImageDecoder` throws the same errors as `ImageDecoder`")
      func errors() throws {
        let decoder = IsolatedImageDecoder()
        var options = DecodingOptions()
        options.limits.maximumPixels = 100
        let bytes = try Files.bytes("picture.avif")
        let broken: [([UInt8], DecodingOptions)] = [
          (Array(try Files.bytes("baseline.jpg").dropLast(500)), .init()), (bytes, options),
          (Array("<html>".utf8), .init()), ([], .init()), (Array(bytes.dropLast(9)), .init()),
          (try Files.bytes("plain.bmp"), DecodingOptions(target: ResizeTarget(width: -1, height: nil))),
        ]

        for (bytes, options) in broken {
          let here = #expect(throws: ImageCodecError.self) {
            try ImageDecoder.decode(bytes, options: options)
          }
          let there = #expect(throws: ImageCodecError.self) { try decoder.decode(bytes, options: options) }
          #expect(here == there)
        }
      }

      @Test("Reading a header in a worker throws the same errors as `ImageDecoder`")
      func headerErrors() throws {
        let decoder = IsolatedImageDecoder()
        let jpeg = try Files.bytes("baseline.jpg")

        for bytes in [[], Array("<html>".utf8), [0xFF, 0xD8], Array(jpeg.prefix(20)), jpeg] {
          let here = Result { () throws(ImageCodecError) in try ImageDecoder.info(of: bytes) }
          let there = Result { () throws(ImageCodecError) in try decoder.info(of: bytes) }
          #expect(here == there)
        }
      }

      @Test("A file above the limit of encoded bytes is not copied to a worker to read its header")
      func headerLimit() throws {
        var limits = DecodingLimits()
        limits.maximumEncodedBytes = 100
        let decoder = IsolatedImageDecoder(limits: limits)

        #expect(throws: ImageCodecError.limitExceeded(.encodedBytes(100))) {
          try decoder.info(of: Files.bytes("baseline.jpg"))
        }
      }

      @Test("Headers, partial images and thumbnails match those of `ImageDecoder`")
      func others() throws {
        let decoder = IsolatedImageDecoder()
        let bytes = try Files.bytes("progressive.jpg")
        let part = Array(bytes.prefix(bytes.count * 2 / 3))

        #expect(try decoder.info(of: bytes) == ImageDecoder.info(of: bytes))
        #expect(try decoder.decodeAvailable(part) == ImageDecoder.decodeAvailable(part))
        #expect(try bytes.withUnsafeBytes { try decoder.embeddedThumbnail(of: $0) } == nil)
      }

      @Test(
        "Each animation reader decodes its frames in a process of its own",
        arguments: ["disposed.gif", "animated.webp"])
      func animations(file: String) throws {
        let worker = try NamedWorker()
        let decoder = IsolatedImageDecoder(worker.settings)
        let bytes = try Files.bytes(file)
        let (here, there) = (try AnimationReader(bytes), try decoder.animation(bytes))
        let second = try decoder.animation(bytes)

        #expect(there.info == here.info)
        #expect(there.plays == here.plays)
        _ = try second.next()
        while let frame = try here.next() { #expect(try there.next() == frame) }
        #expect(try there.next() == nil)
        #expect(Workers.processes(worker.name).count == 2)
      }

      @Test("An animation with a color profile has the same frames in a worker process")
      func animatedProfiles() throws {
        let decoder = IsolatedImageDecoder()
        for file in [JPEGXLAnimation.displayP3, JPEGXLAnimation.linearGray] {
          for options in [DecodingOptions(), .asStored] {
            let here = try AnimationReader(file, options: options)
            let there = try decoder.animation(file, options: options)

            for _ in 0..<2 {
              let frame = try #require(try here.next())
              #expect(try there.next() == frame)
            }
            #expect(try there.next() == nil)
          }
        }
      }

      @Test("A worker is kept for the next image unless `imagesPerWorker` is 1", arguments: [nil, 1])
      func kept(images: Int?) throws {
        let worker = try NamedWorker()
        var settings = worker.settings
        settings.imagesPerWorker = images
        let decoder = IsolatedImageDecoder(settings)
        var seen: Set<pid_t> = []

        for _ in 0..<3 {
          _ = try decoder.decode(Files.bytes("picture.png"))
          seen.formUnion(Workers.processes(worker.name))
        }

        #expect(seen.count == (images == nil ? 1 : 0))
      }

      @Test("A worker has all required protections and reports them")
      func protections() throws {
        let protections = try IsolatedImageDecoder().protections()

        print("workers: \(protections)")
        #expect(protections.isSuperset(of: .required))
        #expect(isUnderSanitizer || protections.contains(.addressSpace))
      }

      @Test(
        "Decoding a mapped file that became shorter throws instead of crashing")
      func shrunk() throws {
        let path = FileManager.default.temporaryDirectory.appending(
          path: "shrunk-\(UInt32.random(in: 0 ... .max))")
        let bytes = try Files.photograph()
        try Data(bytes).write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        let file = open(path.path, O_RDWR)
        defer { close(file) }
        let mapped = try #require(mmap(nil, bytes.count, PROT_READ, MAP_SHARED, file, 0))
        defer { munmap(mapped, bytes.count) }
        let decoder = IsolatedImageDecoder()

        #expect(ftruncate(file, 4_096) == 0)

        #expect(throws: ImageCodecError.corrupt("the file became shorter while it was read")) {
          try decoder.decode(UnsafeRawBufferPointer(start: mapped, count: bytes.count))
        }
        #expect(try decoder.decode(bytes).width > 0)
      }

      @Test(
        "Decoding with a program that is no worker throws `isolationUnavailable`",
        arguments: ["/nowhere/worker", "/bin/true", "/bin/cat"])
      func missing(program: String) throws {
        let decoder = IsolatedImageDecoder(WorkerSettings(program: .path(program)))

        let error = #expect(throws: ImageCodecError.self) { try decoder.decode([1]) }

        #expect(error?.code == "codec.isolation-unavailable.not-started", "\(String(describing: error))")
      }
    }
  }
#endif
