import Foundation
import StreamImages
import Testing

/// What is done with a response whose head is complete.
@Suite("Actions for responses") struct ResponseActionTests {
  /// The text of what is done, or the error.
  private func action(
    _ status: Int, _ fields: String..., method: DataRequest.Method = .get,
    redirectedTo location: String? = nil,
    _ change: (inout DataRequest) -> Void = { _ in }
  ) throws -> String {
    try action(status, lines: fields, method: method, redirectedTo: location, change)
  }

  private func action(
    _ status: Int, lines fields: [String], method: DataRequest.Method = .get,
    redirectedTo location: String? = nil, _ change: (inout DataRequest) -> Void = { _ in }
  ) throws -> String {
    var request = DataRequest(url: URL(string: "https://a.example/x")!, method: method)
    request.acceptedStatuses.formUnion([304, 410])
    var limits = LoadLimits()
    limits.maximumByteCount = 1_000
    change(&request)
    var chain = try RedirectChain(request, limits: limits)
    if let location { chain = try chain.following(location) }
    var parser = HeadParser()
    for line in ["HTTP/1.1 \(status)"] + fields + [""] { try parser.takeText(line + "\r\n") }
    do throws(DataLoadingError) {
      switch try ResponseAction(parser, for: chain) {
      case .follow(let location, let count): return "follow \(location) \(count.map(String.init) ?? "?")"
      case .deliver(let head):
        let part = head.partial.map { " \($0.bytes) of \($0.total ?? -1)" } ?? ""
        let count = head.expectedByteCount.map(String.init) ?? "?"
        return "\(head.status) \(head.url) \(count)\(part)\(head.isContentCoded ? " coded" : "")"
      }
    } catch {
      return kind(error)
    }
  }

  private func kind(_ error: DataLoadingError) -> String {
    switch error {
    case .protocolViolation(let text): text
    case .redirectRefused(let refusal): "refused \(refusal)"
    case .status(let status, let head): "status \(status) \(head.expectedByteCount.map(String.init) ?? "?")"
    case .tooLarge(let limit, let announced): "\(announced.map(String.init) ?? "?") above \(limit)"
    default: "\(error)"
    }
  }

  private let x = "https://a.example/x"

  @Test("A redirect is followed if it has one location and redirects are allowed")
  func redirects() throws {
    for status in [301, 302, 303, 307, 308] {
      #expect(try action(status, "Location: /y", "Content-Length: 7") == "follow /y 7")
    }
    for status in [200, 201, 410] {
      #expect(try action(status, "Location: /y", "Content-Length: 7") == "\(status) \(x) 7")
    }
    for status in [300, 305, 306] { #expect(try action(status, "Location: /y") == "status \(status) ?") }
    #expect(try action(302, "Location: /y") == "follow /y ?")
    #expect(try action(302, "Location: /y", "Content-Length: 7", method: .head) == "follow /y 0")
    #expect(try action(302, "Location: /y", "location: /y") == "follow /y ?")
    #expect(try action(302, "Location: /y", "Location: /z") == "refused badLocation")
    #expect(try action(302, "Location:") == "refused badLocation")
    #expect(try action(302) == "refused missingLocation")
    #expect(try action(302, "Location: /y") { request in request.allowsRedirects = false } == "status 302 ?")
    for location in ["Location: /y", "X: y"] {
      let accepted = try action(302, location, "Content-Length: 3") { request in
        request.acceptedStatuses = [302]
        request.allowsRedirects = location == "X: y"
      }
      #expect(accepted == "302 \(x) 3")
    }
  }

  @Test("A response names the URL that it came from")
  func url() throws {
    #expect(try action(200, "Content-Length: 1", redirectedTo: "/y?z#f") == "200 https://a.example/y?z 1")
    #expect(try action(200, "Content-Length: 1") == "200 \(x) 1")
  }

  @Test("A status that is not accepted is an error with its head")
  func statuses() throws {
    #expect(try action(404, "Content-Length: 8") == "status 404 8")
    #expect(try action(404, "Content-Length: 8", method: .head) == "status 404 0")
    #expect(try action(410, "Content-Length: 8") == "410 \(x) 8")
  }

  @Test(
    "A size is announced by one length, or by several that agree, and not for what has no body or an unknown one"
  )
  func sizes() throws {
    for (fields, text) in [
      (["X: y"], "200 \(x) ?"), (["Content-Length: 5"], "200 \(x) 5"),
      (["Content-Length: 5", "Transfer-Encoding: chunked"], "200 \(x) ?"),
      (["Content-Length: 5", "Content-Length: 5"], "200 \(x) 5"), (["Content-Length: 5, 5"], "200 \(x) 5"),
      (["Content-Length: 5 \t , \t 5"], "200 \(x) 5"),
      (["Content-Length: 5", "Content-Length: 6"], "invalid Content-Length"),
      (["Content-Length: 5", "Content-Length: 5", "Content-Length: 6"], "invalid Content-Length"),
      (["Content-Length: 5, 6"], "invalid Content-Length"),
      (["Content-Length: 5, 5, 6"], "invalid Content-Length"),
      (["Content-Length: 5 5"], "invalid Content-Length"), (["Content-Length: -5"], "invalid Content-Length"),
      (["Content-Length: 1000"], "200 \(x) 1000"), (["Content-Length: 1001"], "1001 above 1000"),
    ] {
      #expect(try action(200, lines: fields) == text)
    }
    #expect(try action(200, "Content-Length: 5", method: .head) == "200 \(x) 0")
    #expect(try action(200, "Content-Length: 1001", method: .head) == "200 \(x) 0")
    for status in [204, 304] { #expect(try action(status, "Content-Length: 5") == "\(status) \(x) 0") }
    #expect(try action(203, "Content-Length: 5") == "203 \(x) 5")
  }

  @Test("A transfer coding is refused, unless it only frames the body")
  func transferCodings() throws {
    for (coding, isFraming) in [
      ("chunked", true), ("Chunked \t", true), ("identity", true), ("identity, chunked", true), ("", true),
      ("gzip, chunked", false), ("gzip", false), ("x", false), ("chunked, x-chunked", false),
    ] {
      let text = try action(200, "Transfer-Encoding: \(coding)", "Content-Length: 5")

      #expect(text == (isFraming ? "200 \(x) ?" : "a transfer coding that was not requested"), "\(coding)")
    }
    let several = try action(200, "Transfer-Encoding: gzip", "Transfer-Encoding: chunked")
    #expect(several == "a transfer coding that was not requested")
  }

  @Test("The size of a body that is decompressed is unknown, and that of one that is not is known")
  func codings() throws {
    for (coding, isCoded) in [
      ("gzip", true), ("identity", false), ("Identity \t", false), ("", false), (",", false), (" , br", true),
      ("identity  , gzip", true), ("identity  ,identity", false),
    ] {
      for allowsCoding in [false, true] {
        let text = try action(200, "Content-Encoding: \(coding)", "Content-Length: 5") { request in
          request.allowsContentCoding = allowsCoding
        }
        #expect(text == "200 \(x) \(isCoded && allowsCoding ? "?" : "5")\(isCoded ? " coded" : "")")
      }
    }
  }

  @Test("A part is delivered if it was requested, and its size agrees with its range")
  func parts() throws {
    for (range, fields, text) in [
      ("bytes=5-", ["Content-Range: bytes 5-9/20"], "206 \(x) 5 5..<10 of 20"),
      ("bytes=5-", ["Content-Range: bytes 5-9/*", "Content-Length: 5"], "206 \(x) 5 5..<10 of -1"),
      (
        "bytes=5-", ["Content-Range: bytes 5-9/20", "Content-Length: 4"],
        "Content-Length and Content-Range disagree"
      ),
      (
        "bytes=5-", ["Content-Range: bytes 5-9/20", "Content-Length: 6"],
        "Content-Length and Content-Range disagree"
      ),
      ("bytes=5-", ["Content-Range: bytes 6-9/20"], "a range that was not requested"),
      ("bytes=5-", ["Content-Length: 5"], "invalid Content-Range"),
      ("bytes=5-", ["Content-Range: bytes 9-5/20"], "invalid Content-Range"),
      (nil, ["Content-Range: bytes 5-9/20"], "a partial response that was not requested"),
      ("bytes=5-", ["Content-Range: bytes 5-1004/2000"], "206 \(x) 1000 5..<1005 of 2000"),
      ("bytes=5-", ["Content-Range: bytes 5-1005/2000"], "1001 above 1000"),
    ] as [(String?, [String], String)] {
      #expect(try action(206, lines: fields) { request in request.headers["Range"] = range } == text)
    }
    let whole = try action(200, "Content-Range: bytes 5-9/20", "Content-Length: 7")
    #expect(whole == "200 \(x) 7")
    // The size of a head, or of what is decompressed, says nothing about the range.
    for (method, allowsCoding, coding, text) in [
      (.head, false, "identity", "206 \(x) 0 5..<10 of 20"),
      (.get, true, "gzip", "206 \(x) ? 5..<10 of 20 coded"),
      (.get, true, "identity", "Content-Length and Content-Range disagree"),
      (.get, false, "gzip", "Content-Length and Content-Range disagree"),
    ] as [(DataRequest.Method, Bool, String, String)] {
      let fields = ["Content-Range: bytes 5-9/20", "Content-Length: 7", "Content-Encoding: \(coding)"]
      let found = try action(206, lines: fields, method: method) { request in
        request.headers["Range"] = "bytes=5-"
        request.allowsContentCoding = allowsCoding
      }
      #expect(found == text)
    }
  }
}
