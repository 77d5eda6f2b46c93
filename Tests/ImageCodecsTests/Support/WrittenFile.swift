import CCodecs

/// What a writer in C makes.
struct WrittenFile {
  var status = CodecStatus.done
  var bytes: [UInt8] = []
  var message = ""

  typealias Output = UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>

  init(
    _ write: (_ output: Output, _ count: UnsafeMutablePointer<Int>, _ message: UnsafeMutablePointer<CChar>) ->
      CodecStatus
  ) {
    var output: UnsafeMutablePointer<UInt8>?, count = 0
    var text = [CChar](repeating: 0, count: Int(CodecMessageCapacity))
    status = write(&output, &count, &text)
    defer { codec_free(output) }
    bytes = Array(UnsafeBufferPointer(start: output, count: count))
    message = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  func contains(_ text: String) -> Bool { !bytes.positions(of: Array(text.utf8)).isEmpty }
}

/// What is written beside pixels, as C is told of it.
struct WrittenBlocks {
  var profile: [UInt8] = []
  var exif: [UInt8] = []
  var xmp: [UInt8] = []

  func with<Result>(_ body: (CodecMetadata) -> Result) -> Result {
    profile.withUnsafeBufferPointer { profile in
      exif.withUnsafeBufferPointer { exif in
        xmp.withUnsafeBufferPointer { xmp in
          body(
            CodecMetadata(
              profile: profile.baseAddress, profileCount: profile.count, exif: exif.baseAddress,
              exifCount: exif.count, xmp: xmp.baseAddress, xmpCount: xmp.count))
        }
      }
    }
  }
}
