/// Has the libraries open, read and ask once what they will need, as long as a worker may.
enum WorkerWarmUp {
  static func run(_ task: WorkerRequest.Task) throws(ImageCodecError) {
    var picture = try Image(width: 16, height: 16, pixelFormat: .rgb8)
    for encoding in [ImageEncoder.Encoding.jpeg(quality: 0.8), .png, .webp(quality: 0.8)] {
      _ = try ImageDecoder.decode(
        ImageEncoder.encode(picture, as: encoding), options: DecodingOptions(target: .fitting(8)))
    }
    if let profile = ICCProfile.displayP3 {
      picture.colorSpace = .profile(profile)
      _ = try picture.convertedToSRGB()
    }
    for (format, file) in files where ImageDecoder.formats.contains(format) {
      do throws(ImageCodecError) {
        _ = try ImageDecoder.decode(bytes(file))
      } catch .missingLibrary {
        // Images of other formats can still be decoded.
      } catch {
        throw error
      }
    }
    if task != .images { try draw(withText: task == .drawingsWithFonts) }
  }

  private static func draw(withText: Bool) throws(ImageCodecError) {
    let content = withText ? "<text>A</text>" : #"<circle r="5"/>"#
    let document = #"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">\#(content)</svg>"#
    var renderer = try SVGRenderer()
    renderer.isolation = .none
    let bytes = Array(document.utf8)
    _ = try bytes.withBytes { buffer throws(ImageCodecError) in try renderer.image(of: buffer) }
  }

  private static func bytes(_ digits: String) -> [UInt8] {
    let values = digits.utf8.map { $0 < 0x3A ? $0 &- 0x30 : $0 &- 0x57 }
    return stride(from: 0, to: values.count - 1, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }

  /// Images of a few pixels, for libraries that this package cannot write with in little time.
  private static let files: [(ImageFormat, String)] = [
    (
      .avif,
      """
      00000020667479706176696600000000617669666d6966316d6961664d413141000000f26d6574610000000000000028\
      68646c720000000000000000706963740000000000000000000000006c696261766966000000000e7069746d00000000\
      00010000001e696c6f6300000000440000010001000000010000011a000000670000002869696e660000000000010000\
      001a696e6665020000000001000061763031436f6c6f72000000006a697072700000004b6970636f0000001469737065\
      00000000000000110000000b000000107069786900000000030808080000000c617631438120000000000013636f6c72\
      6e636c780001000d0006800000001769706d610000000000000001000104010283040000006f6d64617412000a083810\
      e14c2021a0d232591b401c71c70500e84a9eaf1e0bb34068f1af3fa7fe6f51aa732bc5d21c4efc1c6311dddb3cc73559\
      9a0231aa9db13e1ed91507ee7528047c7a35290d402cbf85d3027950376876f42ac15e914b5ca0e8ee0d3f8eed5fc2d0\
      6d
      """
    ),
    (
      .heic,
      """
      000000186674797068656963000000006d69663168656963000001ad6d657461000000000000002168646c7200000000\
      0000000070696374000000000000000000000000000000000e7069746d00000000000200000010696461740000000000\
      11000b00000038696c6f630100000044400002000100000000000001cd00010000000000000053000200010000000000\
      00000100000000000000080000003869696e6600000000000200000015696e6665020000010001000068766331000000\
      0015696e666502000000000200006772696400000000d869707270000000b66970636f00000076687663430103700000\
      000000000000001ef000fcfdf8f800000f03200001001840010c01ffff03700000030090000003000003001eba024021\
      0001002a42010103700000030090000003000003001ea020810596eaae9ae6e04040c080000003008000000300842200\
      0100064401c173c189000000146973706500000000000000400000004000000014697370650000000000000011000000\
      0b000000107069786900000000030808080000001a69706d610000000000000002000102810200020203840000001a69\
      726566000000000000000e64696d670002000100010000005b6d6461740000004f2801af1921a74c58ef5ce2148336c9\
      b37a1feb6cef3224baa4dce588d4802786f1369f7e7bf4a7ff838d8c919352bf40bfbda9ec81aea241cb677c38b7ff35\
      60a883438dc5108457e440b7656351d8
      """
    ),
  ]
}
