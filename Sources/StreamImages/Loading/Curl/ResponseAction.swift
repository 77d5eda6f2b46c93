import Foundation

/// The action for a response whose head is complete.
package enum ResponseAction {
  case follow(location: String, bodyByteCount: Int?)
  case deliver(LoadedHead)

  package init(_ head: HeadParser, for chain: RedirectChain) throws(DataLoadingError) {
    let fields = head.fields
    let length = try Self.contentLength(of: head)
    if chain.request.allowsRedirects, LoadedHead.redirects.contains(head.status) {
      if let location = try fields.location {
        self = .follow(location: location, bodyByteCount: chain.method == .head ? 0 : length)
        return
      }
      guard chain.request.acceptedStatuses.contains(head.status) else {
        throw .redirectRefused(.missingLocation)
      }
    }

    let url = chain.wasRedirected ? URL(string: chain.target) : chain.request.url
    guard let url else { throw .redirectRefused(.badLocation) }
    let isCoded = Self.isCoded(fields)
    var loaded = LoadedHead(status: head.status, headers: fields, url: url, isContentCoded: isCoded)
    (loaded.httpVersion, loaded.wasRedirected) = (head.version, chain.wasRedirected)
    loaded.expectedByteCount = isCoded && chain.request.allowsContentCoding ? nil : length
    if chain.method == .head || [204, 304].contains(head.status) { loaded.expectedByteCount = 0 }
    guard chain.request.acceptedStatuses.contains(head.status) else {
      throw .status(head.status, head: loaded)
    }
    if head.status == 206 {
      let part = try Self.partial(fields, asked: chain.request.headers["Range"])
      loaded.partial = part
      if chain.method != .head, !(isCoded && chain.request.allowsContentCoding) {
        guard length == nil || length == part.bytes.count else {
          throw .protocolViolation("Content-Length and Content-Range disagree")
        }
        loaded.expectedByteCount = part.bytes.count
      }
    }
    if let announced = loaded.expectedByteCount, announced > chain.limits.maximumByteCount {
      throw .tooLarge(limit: chain.limits.maximumByteCount, announced: announced)
    }
    self = .deliver(loaded)
  }

  /// Lengths that disagree are used for request smuggling: parsers choose different ones.
  private static func contentLength(of head: HeadParser) throws(DataLoadingError) -> Int? {
    if let codings = head.fields.combined("Transfer-Encoding") {
      // libcurl delivers other codings as they are, or decodes them without a limit. No request asks for them.
      guard listElements(codings.lowercasedASCII).allSatisfy({ ["chunked", "identity"].contains($0) }) else {
        throw .protocolViolation("a transfer coding that was not requested")
      }
      return nil
    }
    if let length = head.text.number(for: "Content-Length") { return length }
    let claims = Set(head.text.values(for: "Content-Length").flatMap(listElements))
    guard let claim = claims.first else { return nil }
    guard claims.count == 1, let length = Int(digits: claim.utf8) else {
      throw .protocolViolation("invalid Content-Length")
    }
    return length
  }

  private static func isCoded(_ fields: HeaderFields) -> Bool {
    guard let codings = fields.combined("Content-Encoding") else { return false }
    return listElements(codings.lowercasedASCII).contains { $0 != "identity" }
  }

  private static func partial(
    _ fields: HeaderFields, asked: String?
  ) throws(DataLoadingError) -> LoadedHead.ByteRange {
    guard let asked else { throw .protocolViolation("a partial response that was not requested") }
    guard let range = ContentRange(fields["Content-Range"] ?? "") else {
      throw .protocolViolation("invalid Content-Range")
    }
    guard range.answers(asked) else { throw .protocolViolation("a range that was not requested") }
    return LoadedHead.ByteRange(bytes: range.first..<(range.last + 1), total: range.total)
  }
}

extension LoadedHead {
  /// Statuses with a `Location`.
  static let redirects: Set = [301, 302, 303, 307, 308]
}

extension HeaderFields {
  /// The target of a redirect, or `nil` without `Location`. Different values are refused, because parsers choose
  /// differently.
  var location: String? {
    get throws(DataLoadingError) {
      let locations = Set(values(for: "Location"))
      guard let location = locations.first else { return nil }
      guard locations.count == 1, !location.isEmpty else { throw .redirectRefused(.badLocation) }
      return location
    }
  }
}
