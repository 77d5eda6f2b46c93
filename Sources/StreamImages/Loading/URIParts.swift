/// The ranges of the parts of a URI, by RFC 3986 appendix B.
struct URIParts {
  /// `nil` if there is no valid scheme.
  private(set) var scheme: Range<Int>?
  private(set) var authority: Range<Int>?
  private(set) var path: Range<Int>
  private(set) var query: Range<Int>?
  private(set) var fragment: Range<Int>?

  /// Every delimiter is ASCII, so no character is split.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    var (start, end) = (0, bytes.count)
    func first(of mark: UInt8, from start: Int) -> Int? {
      var place = start
      while place < end, bytes[place] != mark { place += 1 }
      return place < end ? place : nil
    }
    if let mark = first(of: UInt8(ascii: "#"), from: 0) { (fragment, end) = (mark + 1..<end, mark) }
    if let mark = first(of: UInt8(ascii: "?"), from: 0) { (query, end) = (mark + 1..<end, mark) }
    if let colon = first(of: UInt8(ascii: ":"), from: 0), Self.isScheme(bytes[..<colon]) {
      (scheme, start) = (0..<colon, colon + 1)
    }
    let slash = UInt8(ascii: "/")
    if end - start >= 2, bytes[start] == slash, bytes[start + 1] == slash {
      let pathStart = first(of: slash, from: start + 2) ?? end
      (authority, start) = (start + 2..<pathStart, pathStart)
    }
    path = start..<end
  }

  private static func isScheme(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard let first = bytes.first, isLetter(first) else { return false }
    return bytes.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}
