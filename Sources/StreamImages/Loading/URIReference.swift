/// A parsed URI that can be resolved against another one, by RFC 3986 section 5.
///
/// Works on text, because `URL` differs between platforms and versions for unusual URLs.
package struct URIReference: Hashable, Sendable {
  /// In lower case.
  package var scheme: String?
  package var authority: String?
  package var path: String
  package var query: String?
  package var fragment: String?

  package init(_ text: String) {
    var text = text
    self = text.withUTF8 { Self($0) }
  }

  private init(_ bytes: UnsafeBufferPointer<UInt8>) {
    let parts = URIParts(bytes)
    scheme = parts.scheme.map { String(lowercasing: bytes[$0]) }
    authority = parts.authority.map { String(bytes[$0]) }
    path = String(bytes[parts.path])
    query = parts.query.map { String(bytes[$0]) }
    fragment = parts.fragment.map { String(bytes[$0]) }
  }

  package var text: String {
    var text = scheme.map { $0 + ":" } ?? ""
    if let authority { text += "//" + authority }
    text += path
    if let query { text += "?" + query }
    if let fragment { text += "#" + fragment }
    return text
  }

  /// Returns the target of this reference in a document at `base`.
  package func resolved(against base: URIReference) -> URIReference {
    var target = self
    target.path = Self.removingDots(from: path)
    if scheme != nil { return target }
    target.scheme = base.scheme
    if authority != nil { return target }
    target.authority = base.authority
    if path.isEmpty {
      target.path = base.path
      target.query = query ?? base.query
    } else if !path.unicodeScalars.starts(with: "/".unicodeScalars) {
      target.path = Self.removingDots(from: base.merging(path))
    }
    return target
  }

  private func merging(_ relative: String) -> String {
    if authority != nil, path.isEmpty { return "/" + relative }
    let scalars = path.unicodeScalars
    guard let slash = scalars.lastIndex(of: "/") else { return relative }
    return String(scalars[...slash]) + relative
  }

  private static func removingDots(from path: String) -> String {
    var kept: [Substring.UnicodeScalarView] = []
    let segments = path.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
    let isAbsolute = segments.count > 1 && segments[0].isEmpty
    for (position, segment) in segments.enumerated() where !(isAbsolute && position == 0) {
      let isLast = position == segments.count - 1
      if segment.elementsEqual(".".unicodeScalars) {
        if isLast { kept.append("".unicodeScalars[...]) }
      } else if segment.elementsEqual("..".unicodeScalars) {
        _ = kept.popLast()
        if isLast { kept.append("".unicodeScalars[...]) }
      } else {
        kept.append(segment)
      }
    }
    return (isAbsolute ? "/" : "") + kept.map { String($0) }.joined(separator: "/")
  }
}

extension String {
  /// Text between two delimiters.
  init(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    self.init(decoding: UnsafeBufferPointer(rebasing: bytes), as: UTF8.self)
  }

  /// The same in lower case. Usually it is in lower case already.
  init(lowercasing bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    let text = String(bytes)
    let isLowercase = bytes.allSatisfy { $0 < 0x80 && !(0x41...0x5A).contains($0) }
    self = isLowercase ? text : text.lowercased()
  }
}

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
    guard let first = bytes.first, first.isASCIILetter else { return false }
    return bytes.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) }
  }
}
