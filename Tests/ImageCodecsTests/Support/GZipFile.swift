/// A gzip file of one member.
enum GZipFile {
  static func stored(_ content: [UInt8]) -> [UInt8] {
    file(Deflate.stored(content), of: content, count: content.count)
  }

  /// - Parameter stream: A zlib stream.
  static func file(_ stream: [UInt8], of content: [UInt8], count: Int) -> [UInt8] {
    [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + stream.dropFirst(2).dropLast(4)
      + little(Int(Checksum.crc(content)), count: 4) + little(count, count: 4)
  }
}
