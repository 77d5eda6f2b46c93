/// A URI taken apart, and put together again relative to another, as RFC 3986 section 5 says.
///
/// Works on text, since `URL` differs between platforms and versions just where servers are inventive.
package struct URIReference: Hashable, Sendable {
  /// Lower case.
  package var scheme: String?
  package var authority: String?
  package var path: String
  package var query: String?
  package var fragment: String?

  package init(_ text: String) {
    // Every delimiter is ASCII, so no character is cut.
    var rest = text.utf8[...]
    fragment = Self.split(&rest, at: UInt8(ascii: "#"))
    query = Self.split(&rest, at: UInt8(ascii: "?"))
    scheme = Self.takeScheme(from: &rest)
    if rest.starts(with: "//".utf8) {
      let afterSlashes = rest.dropFirst(2)
      let authority = afterSlashes.prefix { $0 != UInt8(ascii: "/") }
      self.authority = String(Substring(authority))
      rest = afterSlashes[authority.endIndex...]
    }
    path = String(Substring(rest))
  }

  package var text: String {
    var text = ""
    if let scheme { text += scheme + ":" }
    if let authority { text += "//" + authority }
    text += path
    if let query { text += "?" + query }
    if let fragment { text += "#" + fragment }
    return text
  }

  /// The target of this reference when it is found in a document at `base`.
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

  private static func split(_ rest: inout Substring.UTF8View, at mark: UInt8) -> String? {
    guard let index = rest.firstIndex(of: mark) else { return nil }
    defer { rest = rest[..<index] }
    return String(Substring(rest[rest.index(after: index)...]))
  }

  private static func takeScheme(from rest: inout Substring.UTF8View) -> String? {
    guard let colon = rest.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = rest[..<colon]
    guard let first = scheme.first, isLetter(first),
      scheme.allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0) })
    else { return nil }
    rest = rest[rest.index(after: colon)...]
    return String(Substring(scheme)).lowercased()
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

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
