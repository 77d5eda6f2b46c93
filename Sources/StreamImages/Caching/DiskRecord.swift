package import Foundation

/// The format of a ``DataCache`` file: a header, the full key, the attributes, the bytes.
///
/// The checksum covers all of it, and the key is compared on reading. So a truncated, changed or misplaced file is not
/// mistaken for the entry.
package struct DiskRecord {
  /// The first bytes of each file. The last one is the version of the format.
  package static let magic = Data("SIMGDAT1".utf8)
  package static let headSize = 40

  /// Returns everything before the bytes.
  package static func head(of entry: CachedData, _ key: DataCacheKey) -> Data {
    var attributes = CanonicalBytes("attributes")
    for (name, value) in entry.attributes.sorted(by: { $0.key < $1.key }) {
      attributes.append(name)
      attributes.append(value)
    }
    var head = magic
    head.append(number: UInt64(key.bytes.count))
    head.append(number: UInt64(attributes.bytes.count))
    head.append(number: UInt64(entry.data.count))
    let rest = Data(key.bytes) + Data(attributes.bytes)
    head.append(number: checksum(head, rest, entry.data))
    return head + rest
  }

  package let keySize: Int
  package let attributesSize: Int
  package let dataSize: Int
  private let head: Data
  private let sum: UInt64

  /// - Returns: `nil` if this is not the header of a file of `fileSize` bytes.
  package init?(head: Data, fileSize: Int) {
    guard head.count == Self.headSize, head.prefix(8) == Self.magic,
      let keySize = Int(exactly: head.number(at: 8)), let attributesSize = Int(exactly: head.number(at: 16)),
      let dataSize = Int(exactly: head.number(at: 24)),
      // Each is at most the size of the file before they are added, so the sum cannot overflow.
      max(keySize, attributesSize, dataSize) <= fileSize,
      Self.headSize + keySize + attributesSize + dataSize == fileSize
    else { return nil }
    (self.keySize, self.attributesSize, self.dataSize) = (keySize, attributesSize, dataSize)
    self.head = head.prefix(32)
    sum = head.number(at: 32)
  }

  /// - Parameter rest: Key and attributes. A wrong number of bytes has another checksum, which is one of parts.
  /// - Returns: `nil` if the entry has another key, or is not what was stored.
  package func entry(_ rest: Data, _ data: Data, for key: DataCacheKey) -> CachedData? {
    guard rest.prefix(keySize).elementsEqual(key.bytes),
      Self.checksum(head, rest, data) == sum,
      let attributes = Self.attributes(Array(rest.dropFirst(keySize)))
    else { return nil }
    return CachedData(data, attributes: attributes)
  }

  private static func attributes(_ bytes: [UInt8]) -> [String: String]? {
    var rest = bytes[...]
    var fields: [String] = []
    while !rest.isEmpty {
      guard rest.count >= 8 else { return nil }
      let size = rest.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      rest = rest.dropFirst(8)
      guard let count = Int(exactly: size), count <= rest.count else { return nil }
      fields.append(String(decoding: rest.prefix(count), as: UTF8.self))
      rest = rest.dropFirst(count)
    }
    guard fields.first == "attributes", fields.count % 2 == 1 else { return nil }
    var attributes: [String: String] = [:]
    for index in stride(from: 1, to: fields.count, by: 2) { attributes[fields[index]] = fields[index + 1] }
    return attributes
  }

  private static func checksum(_ parts: Data...) -> UInt64 {
    parts.reduce(0) { seed, part in part.withUnsafeBytes { XXHash64.hash($0, seed: seed) } }
  }
}

extension Data {
  fileprivate mutating func append(number: UInt64) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  fileprivate func number(at offset: Int) -> UInt64 {
    withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }
  }
}

/// XXH64, a fast checksum. It detects accidental changes, not intentional ones.
package enum XXHash64 {
  package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    var offset = 0
    var hash: UInt64
    if bytes.count >= 32 {
      var lanes = (seed &+ prime1 &+ prime2, seed &+ prime2, seed, seed &- prime1)
      while offset + 32 <= bytes.count {
        lanes.0 = round(lanes.0, word(bytes, offset))
        lanes.1 = round(lanes.1, word(bytes, offset + 8))
        lanes.2 = round(lanes.2, word(bytes, offset + 16))
        lanes.3 = round(lanes.3, word(bytes, offset + 24))
        offset += 32
      }
      hash = rotated(lanes.0, 1) &+ rotated(lanes.1, 7) &+ rotated(lanes.2, 12) &+ rotated(lanes.3, 18)
      hash = merge(merge(merge(merge(hash, lanes.0), lanes.1), lanes.2), lanes.3)
    } else {
      hash = seed &+ prime5
    }
    hash &+= UInt64(bytes.count)
    while offset + 8 <= bytes.count {
      hash = rotated(hash ^ round(0, word(bytes, offset)), 27) &* prime1 &+ prime4
      offset += 8
    }
    if offset + 4 <= bytes.count {
      let half = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      hash = rotated(hash ^ (UInt64(half) &* prime1), 23) &* prime2 &+ prime3
      offset += 4
    }
    while offset < bytes.count {
      hash = rotated(hash ^ (UInt64(bytes[offset]) &* prime5), 11) &* prime1
      offset += 1
    }
    hash = (hash ^ hash >> 33) &* prime2
    hash = (hash ^ hash >> 29) &* prime3
    return hash ^ hash >> 32
  }

  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  @inline(__always)
  private static func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 {
    word << count | word >> (64 - count)
  }

  @inline(__always)
  private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    rotated(lane &+ word &* prime2, 31) &* prime1
  }

  @inline(__always)
  private static func merge(_ hash: UInt64, _ lane: UInt64) -> UInt64 {
    (hash ^ round(0, lane)) &* prime1 &+ prime4
  }
}
