/// The records of the IPTC Information Interchange Model: what news agencies write about photographs.
///
/// The first 2,000 data sets are read.
public struct IPTCData: Sendable, Hashable {
  /// A data set: its record, its number in the record, and its bytes.
  public struct DataSet: Sendable, Hashable {
    /// The number of the record: 1 for the envelope, 2 for the application record.
    public let record: UInt8
    /// The number of the data set.
    public let number: UInt8
    /// The content.
    public let bytes: [UInt8]
  }

  /// All bytes as stored.
  public let bytes: [UInt8]
  /// The data sets, in order. Some occur more than once.
  public let dataSets: [DataSet]

  private static let maximumCount = 2_000
  private static let marker: UInt8 = 0x1C
  private static let characterSet: (record: UInt8, number: UInt8) = (1, 90)
  private static let utf8: [UInt8] = [0x1B, 0x25, 0x47]

  /// `nil` unless the bytes begin with a data set. Ends at the first that is damaged.
  public init?(bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    var dataSets: [DataSet] = []
    var position = 0
    while dataSets.count < Self.maximumCount, position + 5 <= bytes.count, bytes[position] == Self.marker {
      var length = Int(bytes[position + 3]) << 8 | Int(bytes[position + 4])
      var start = position + 5
      if length & 0x8000 != 0 {
        // The length of the length.
        let wide = length & 0x7FFF
        guard wide <= 4, start + wide <= bytes.count else { break }
        length = bytes[start..<start + wide].reduce(0) { $0 << 8 | Int($1) }
        start += wide
      }
      guard length <= bytes.count - start else { break }
      dataSets.append(
        DataSet(
          record: bytes[position + 1], number: bytes[position + 2],
          bytes: Array(bytes[start..<start + length])))
      position = start + length
    }
    guard !dataSets.isEmpty else { return nil }
    (self.bytes, self.dataSets) = (bytes, dataSets)
  }

  /// The texts of a data set in the application record: UTF-8 if the envelope says so or they are, and otherwise Latin 1.
  public subscript(number: UInt8) -> [String] {
    dataSets.filter { $0.record == 2 && $0.number == number }
      .compactMap { String(latinOrUTF8: $0.bytes).trimmed }
  }

  /// The bytes of the data sets that `isKept` accepts, with the character set of the others; `nil` if there is none.
  func serialized(where isKept: (DataSet) -> Bool) -> [UInt8]? {
    let kept = dataSets.filter { $0.record == 2 && isKept($0) }
    guard !kept.isEmpty else { return nil }
    let envelope = dataSets.filter {
      ($0.record, $0.number) == Self.characterSet && $0.bytes == Self.utf8
    }
    return (envelope.prefix(1) + kept).flatMap { set in
      let count = set.bytes.count
      let length =
        count < 0x8000
        ? ByteView.bigEndian(count, count: 2) : [0x80, 4] + ByteView.bigEndian(count, count: 4)
      return [UInt8](joining: [Self.marker, set.record, set.number], length, set.bytes)
    }
  }
}

/// The resources that Photoshop stores in a JPEG or a TIFF, one of which is IPTC.
enum PhotoshopResources {
  /// The beginning of the segment of a JPEG.
  static let name: StaticString = "Photoshop 3.0\0"
  private static let iptc = 0x0404

  /// The records of IPTC among resources.
  static func iptc(in resources: ByteView) -> IPTCData? {
    var position = 0
    while resources.holds("8BIM", at: position), let kind = resources.big(position + 4, count: 2),
      let nameLength = resources.byte(position + 6)
    {
      // The name, with its length, has an even number of bytes, and so has the content.
      let start = position + 6 + (nameLength + 2) / 2 * 2
      guard let length = resources.big(start, count: 4) else { return nil }
      if kind == iptc {
        return resources.slice(start + 4, count: length).flatMap { IPTCData(bytes: $0.array) }
      }
      position = start + 4 + length + length % 2
    }
    return nil
  }

  /// The content of a segment.
  static func segment(iptc content: [UInt8]) -> [UInt8] {
    [UInt8](
      joining: name.bytes, Array("8BIM".utf8), ByteView.bigEndian(iptc, count: 2), [0, 0],
      ByteView.bigEndian(content.count, count: 4), content, content.count % 2 == 1 ? [0] : [])
  }
}
