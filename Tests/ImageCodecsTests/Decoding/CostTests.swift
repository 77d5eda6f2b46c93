#if canImport(Glibc)
  import Foundation
  import Glibc
  import ImageCodecs
  import TestSupport
  import Testing

  @Suite("`ImageDecoder.byteCost`", .serialized)
  struct CostTests {
    enum Kind: String, CaseIterable, Codable {
      case baseline, progressive, gainMap, png, lossy, lossless, gif, avif, heic, jpegXL, losslessJPEGXL, bmp,
        tiff

      /// About two megapixels, of one color but for a line: files of photographs take as much memory.
      func file() throws -> [UInt8] {
        let image = try Samples.flat(1_800, 1_200, [40, 90, 160])
        return switch self {
        case .baseline: try ImageEncoder.encode(image, as: .jpeg())
        case .progressive: try ImageEncoder.encode(image, as: .jpeg(progressive: true))
        case .gainMap: try GainMapFile(image, map: image).bytes
        case .png: try ImageEncoder.encode(image, as: .png)
        case .lossy: try ImageEncoder.encode(image, as: .webp())
        case .lossless: try ImageEncoder.encode(image, as: .losslessWebP)
        case .avif: try ImageEncoder.encode(image, as: .avif())
        case .heic: try ImageEncoder.encode(image, as: .heic())
        case .jpegXL: try ImageEncoder.encode(image, as: .jpegXL())
        case .losslessJPEGXL: try ImageEncoder.encode(image, as: .losslessJPEGXL())
        case .gif: UncompressedFile.gif(1_800, 1_200)
        case .bmp: UncompressedFile.bmp(1_800, 1_200)
        case .tiff: UncompressedFile.tiff(1_800, 1_200)
        }
      }

      /// The same, for JPEG only, stored with an orientation.
      func file(turned orientation: ImageOrientation) throws -> [UInt8] {
        let exif = Exif.data(orientation: orientation.rawValue, bigEndian: true)
        return try file().addingToJPEG(Exif.segment(exif))
      }
    }

    @Test(
      "The estimated decoding cost covers the peak memory and is at most four times as high",
      .enabled(if: !isSanitized, "a sanitizer takes memory of its own, and much of it"),
      arguments: Kind.allCases.filter { $0 != .heic || Codecs.writesHEIC })
    func measured(kind: Kind) throws {
      let file = try kind.file()
      for target in [nil, ResizeTarget.fitting(300)] {
        var options = DecodingOptions(target: target, keepsGainMap: true)
        // This is about memory, also where an emulator takes its time.
        options.limits.deadline = .seconds(600)
        let cost = try ImageDecoder.byteCost(of: file, options: options)
        let before = Memory.startOver()

        let image = try ImageDecoder.decode(file, options: options)

        let taken = Memory.peak() - before
        #expect(image.width == (target == nil ? 1_800 : 300))
        #expect(taken < cost + 3 << 20, "\(kind): \(taken) bytes where \(cost) were foreseen")
        // Of a small picture, or one without loss, libraries may need less; how much, the header does not tell.
        #expect(
          target != nil || kind == .losslessJPEGXL || cost < taken * 4 + 8 << 20,
          "\(kind): \(taken) bytes where \(cost) were foreseen")
      }
    }

    @Test(
      "The estimated decoding cost of a rotated image includes the upright copy",
      .enabled(if: !isSanitized, "a sanitizer takes memory of its own, and much of it"))
    func turned() throws {
      let file = try Kind.baseline.file(turned: .right)
      let cost = try ImageDecoder.byteCost(of: file)
      let before = Memory.startOver()

      let image = try ImageDecoder.decode(file)

      let taken = Memory.peak() - before
      #expect(image.size == PixelSize(width: 1_200, height: 1_800))
      #expect(taken < cost + 3 << 20, "\(taken) bytes where \(cost) were foreseen")
    }

    @Test(
      "The estimated cost of a rotated image is one copy above an upright one",
      arguments: ImageOrientation.allCases)
    func turnedCopy(orientation: ImageOrientation) throws {
      let upright = try Kind.baseline.file(turned: .up)
      let file = try Kind.baseline.file(turned: orientation)
      let copies = orientation == .up ? 0 : 1
      for (options, copy) in [
        (DecodingOptions(), 1_800 * 1_200 * 4),
        (DecodingOptions(keepsDepth: true), 1_800 * 1_200 * 8),
        (DecodingOptions(target: ResizeTarget(width: 150, height: 150, mode: .fit)), 150 * 100 * 4),
      ] {
        #expect(
          try ImageDecoder.byteCost(of: file, options: options)
            == ImageDecoder.byteCost(of: upright, options: options) + copies * copy)
      }
    }

    @Test("The estimated decoding cost saturates for the largest sizes a header can claim")
    func claims() throws {
      let file = PNGFile.file(0x7FFF_FFFF, 0x7FFF_FFFF, color: 6, rows: [])

      #expect(try ImageDecoder.byteCost(of: file) == .max)
      #expect(throws: ImageCodecError.truncated) { try ImageDecoder.byteCost(of: [0xFF, 0xD8, 0xFF]) }
    }
  }

  /// What this process has in memory, as Linux counts it.
  private enum Memory {
    /// A function of the C library that Swift does not know of.
    private static func function<Function>(_ name: String, _: Function.Type) -> Function? {
      dlsym(nil, name).map { unsafeBitCast($0, to: Function.self) }
    }

    /// Forgets earlier peaks.
    static func startOver() -> Int {
      // Large blocks come from the system and go back there, however many there have been (M_MMAP_THRESHOLD).
      let isSet = function("mallopt", (@convention(c) (Int32, Int32) -> Int32).self)?(-3, 131_072)
      let isTrimmed = function("malloc_trim", (@convention(c) (Int) -> Int32).self)?(0)
      #expect(isSet == 1 && isTrimmed != nil)
      try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
      return bytes("VmRSS:")
    }

    static func peak() -> Int { bytes("VmHWM:") }

    private static func bytes(_ name: String) -> Int {
      let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
      let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
      return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
    }
  }
#endif
