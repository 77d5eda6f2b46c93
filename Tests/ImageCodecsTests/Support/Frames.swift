import ImageCodecs

extension AnimationReader {
  /// All frames of a file.
  static func frames(
    of bytes: [UInt8], _ options: DecodingOptions = DecodingOptions()
  ) throws -> [AnimationFrame] {
    let reader = try AnimationReader(bytes, options: options)
    var frames: [AnimationFrame] = []
    while let frame = try reader.next() { frames.append(frame) }
    return frames
  }
}
