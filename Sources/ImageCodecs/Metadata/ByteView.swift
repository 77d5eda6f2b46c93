/// Bytes with bounds checks: every access outside returns `nil`. The parsers of headers use it.
struct ByteView {
  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var count: Int { bytes.count }

  /// All bytes, for a C function.
  var start: UnsafePointer<UInt8>? { bytes.bytes }

  func byte(_ offset: Int) -> Int? { bytes.indices.contains(offset) ? Int(bytes[offset]) : nil }

  /// Returns `count` bytes from `offset`; `nil` unless all of them exist.
  func slice(_ offset: Int, count: Int) -> ByteView? {
    guard (0...bytes.count).contains(offset), (0...bytes.count - offset).contains(count) else { return nil }
    return ByteView(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
  }

  /// Returns the bytes from `offset` on; `nil` if it lies outside.
  func rest(from offset: Int) -> ByteView? { slice(offset, count: count - offset) }

  /// Big-endian, at most seven bytes.
  func big(_ offset: Int, count: Int) -> Int? {
    guard let part = slice(offset, count: count) else { return nil }
    return part.bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  /// The bytes of a number, the most significant first.
  static func bigEndian(_ value: Int, count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  /// Little-endian, at most seven bytes.
  func little(_ offset: Int, count: Int) -> Int? {
    guard let part = slice(offset, count: count) else { return nil }
    return part.bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  func holds(_ text: StaticString, at offset: Int) -> Bool {
    guard let part = slice(offset, count: text.utf8CodeUnitCount) else { return false }
    return text.withUTF8Buffer { part.bytes.elementsEqual($0) }
  }

  /// Where these bytes are in `whole`, of which they are a part.
  func offset(in whole: ByteView) -> Int? {
    guard let start, let first = whole.start else { return nil }
    return start - first
  }

  /// Calls `body` with all bytes.
  func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) { body(bytes) }

  var array: [UInt8] { Array(bytes) }

  /// The bytes, if they are no more than that.
  func array(atMost count: Int) -> [UInt8]? { self.count <= count ? array : nil }

  /// The bytes as UTF-8.
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
