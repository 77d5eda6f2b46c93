import ImageCodecs
import Testing

@Suite("JPEG XL frames that need little memory")
struct JPEGXLFrameTests {
  /// The memory per pixel: 9 bytes for a frame of blocks with three channels, and 35 for other images.
  private func cost(_ header: JPEGXLHeader) throws -> Int {
    try ImageDecoder.byteCost(of: header.bytes) / 4_096
  }

  private static let frames:
    [(name: String, change: @Sendable (inout JPEGXLFrame) -> Void, isOneFrame: Bool)] = [
      ("nothing", { _ in }, true), ("defaults", { $0.isDefault = 1 }, true),
      ("a kept frame", { $0.type = 1 }, false),
      ("a reference", { $0.type = 2 }, false), ("a skipped frame", { $0.type = 3 }, false),
      ("no blocks", { $0.encoding = 1 }, false),
      ("noise", { $0.flags = [(1, 2), (0, 4)] }, true), ("patches", { $0.flags = [(1, 2), (1, 4)] }, false),
      ("noise and patches", { $0.flags = [(1, 2), (2, 4)] }, false),
      ("splines", { $0.flags = [(1, 2), (15, 4)] }, false),
      ("a frame of LF", { $0.flags = [(2, 2), (32 - 17, 8)] }, false),
      ("no smoothing", { $0.flags = [(2, 2), (128 - 17, 8)] }, true),
      ("both", { $0.flags = [(2, 2), (129 - 17, 8)] }, true),
      ("others", { $0.flags = [(2, 2), (130 - 17, 8)] }, false),
      ("many flags", { $0.flags = [(3, 2)] }, false), ("enlarged", { $0.upsampling = 1 }, false),
      ("more enlarged", { $0.upsampling = 2 }, false),
      ("two passes", { $0.passes = [(1, 2), (0, 2), (3, 2)] }, true),
      ("three passes", { $0.passes = [(2, 2), (1, 2), (15, 4), (3, 2), (1, 2)] }, true),
      (
        "three passes, two steps",
        { $0.passes = [(2, 2), (2, 2), (15, 4), (15, 4), (3, 2), (7, 3), (0, 2)] },
        true
      ),
      (
        "eleven passes",
        {
          $0.passes = [
            (3, 2), (7, 3), (3, 2), (1, 1), (0xF_FFFF, 20), (0xFF, 8), (1, 2), (1, 2), (2, 2), (2, 2),
          ]
        }, true
      ),
      ("a part", { $0.isPart = 1 }, false), ("added", { $0.blending = 1 }, false),
      ("blended", { $0.blending = 2 }, false),
      ("not the last", { $0.isLast = 0 }, false),
    ]

  @Test("One frame of blocks is known by its header", arguments: frames.indices)
  func frame(index: Int) throws {
    let (name, change, isOneFrame) = Self.frames[index]
    var header = JPEGXLHeader()
    change(&header.frame)
    #expect(try cost(header) == (isOneFrame ? 9 : 35), "\(name)")
    header.isLossy = false
    for isYCbCr in 0...1 {
      header.frame.isYCbCr = isYCbCr
      #expect(try cost(header) == (isOneFrame ? 9 : 35), "\(name)")
    }
    // The header may be cut anywhere, and then nothing is known.
    let cut = Array(JPEGXLHeader(frame: header.frame).bytes.dropLast())
    #expect(try ImageDecoder.byteCost(of: cut) / 4_096 == 35, "\(name)")
  }

  @Test("All defaults are one frame of blocks, or what its frame is")
  func defaults() throws {
    func cost(_ frame: Int, transform: Int = 1) throws -> Int {
      var stream = JPEGXLStream()
      // 64 by 64 pixels in multiples of eight; then all defaults.
      for (value, count) in [(1, 1), (7, 5), (1, 3), (1, 1), (transform, 1)] { stream.write(value, count) }
      return try ImageDecoder.byteCost(of: stream.bytes + [UInt8(frame)]) / 4_096
    }
    #expect(try cost(1) == 9 && cost(0) == 35 && cost(0xFF) == 9 && cost(1, transform: 0) == 35)
  }

  @Test("Anything unusual before the frame makes it unknown")
  func metadata() throws {
    #expect(try cost(JPEGXLHeader(extensions: 1)) == 35 && cost(JPEGXLHeader(extensions: 2)) == 35)
    #expect(try cost(JPEGXLHeader(transform: 0)) == 35)
    #expect(try cost(JPEGXLHeader(channels: [{ $0.writeChannel(1) }])) == 35)
    #expect(
      try cost(
        JPEGXLHeader(channels: [
          {
            $0.writeChannel(0); $0.write(0, 1)
          }
        ])) == 48)
    #expect(try cost(JPEGXLHeader(channels: [{ $0.write(1, 1) }])) == 48)
  }
}
