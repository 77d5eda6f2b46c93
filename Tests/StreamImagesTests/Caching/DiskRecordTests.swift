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

  /// A file whose checksum is right for what it says.
  private func sealed(_ head: Data, _ rest: Data, _ data: Data) -> Data {
    let sum = [head, rest, data].reduce(UInt64(0)) { seed, part in
      part.withUnsafeBytes { XXHash64.hash($0, seed: seed) }
    }
    return head + bytes(sum) + rest + data
  }

  private func bytes(_ number: UInt64) -> Data { withUnsafeBytes(of: number.littleEndian) { Data($0) } }

  private func field(_ text: String) -> Data { bytes(UInt64(text.utf8.count)) + Data(text.utf8) }

  /// A file of the entry's bytes, with these attributes.
  private func file(_ attributes: Data, magic: Data = DiskRecord.magic) -> Data {
    let sizes = [key.bytes.count, attributes.count, entry.data.count].map { bytes(UInt64($0)) }
    return sealed(magic + sizes.joined(), Data(key.bytes) + attributes, entry.data)
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

  @Test("A disk record returns attributes without text")
  func emptyAttributes() {
    for attributes in [[:], ["a": ""], ["": "a"], ["": ""]] {
      let entry = CachedData(Data(), attributes: attributes)
      #expect(read(DiskRecord.head(of: entry, key), key) == entry)
    }
  }

  @Test(
    "A disk record of another version or with malformed attributes is not read, even with a right checksum")
  func sealed() {
    let good = field("attributes") + field("a") + field("b")
    #expect(read(file(good), key) == CachedData(entry.data, attributes: ["a": "b"]))
    #expect(read(file(good, magic: Data("SIMGDAT0".utf8)), key) == nil)

    let malformed: [Data] = [
      Data(), Data([0]), field("attribute") + field("a") + field("b"), field("attributes") + field("a"),
      good + Data(repeating: 0, count: 7), field("attributes") + field("a") + Data(count: 7), good.dropLast(),
      good + bytes(1) + Data(), good + bytes(.max),
    ]
    for attributes in malformed { #expect(read(file(attributes), key) == nil) }
  }

  @Test("A head is of one size of file only")
  func fileSize() {
    for offset in [-1, 1] {
      let head = file.prefix(DiskRecord.headSize)
      #expect(DiskRecord(head: head, fileSize: file.count + offset) == nil)
      #expect(DiskRecord(head: head.dropLast(), fileSize: file.count) == nil)
    }
  }
}
