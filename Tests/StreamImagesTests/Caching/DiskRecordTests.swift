import Foundation
import StreamImages
import Testing

@Suite("`DiskRecord`")
struct DiskRecordTests {
  private let key = DataCacheKey("a")
  private let entry = CachedData(
    Data((0..<100).map { UInt8($0) }), attributes: ["url": "https://a", "type": "b"])

  /// What a file says to one who looks for `key`.
  private func read(_ file: Data, _ key: DataCacheKey) -> CachedData? {
    guard let record = DiskRecord(head: file.prefix(DiskRecord.headSize), fileSize: file.count) else {
      return nil
    }
    let rest = file.dropFirst(DiskRecord.headSize)
    let start = record.keySize + record.attributesSize
    return record.entry(Data(rest.prefix(start)), Data(rest.dropFirst(start)), for: key)
  }

  private var file: Data { DiskRecord.head(of: entry, key) + entry.data }

  @Test("A disk record returns the entry that was stored")
  func roundTrip() {
    #expect(read(file, key) == entry)
  }

  @Test("A disk record is not read for another key")
  func otherKey() {
    #expect(read(file, DataCacheKey("b")) == nil)
  }

  @Test("A disk record is not read if any bit has changed")
  func changedBit() {
    let file = file

    for index in file.indices {
      for bit in [0, 3, 7] {
        var changed = file
        changed[index] ^= 1 << bit
        #expect(read(changed, key) == nil, "byte \(index), bit \(bit)")
      }
    }
  }

  @Test("A disk record is not read if bytes are missing or added")
  func changedLength() {
    let file = file

    for count in 0..<file.count { #expect(read(file.prefix(count), key) == nil, "\(count) bytes") }
    #expect(read(file + [0], key) == nil)
  }

  @Test("A disk record is not read if a size in its head is wrong", arguments: [8, 16, 24])
  func sizes(_ offset: Int) {
    for size: UInt64 in [0, 1, .max, .max >> 1, 1 << 62] {
      var changed = file
      withUnsafeBytes(of: size.littleEndian) { changed.replaceSubrange(offset..<offset + 8, with: $0) }
      #expect(read(changed, key) == nil)
    }
  }
}
