import Foundation
import StreamImages
import Testing

@Suite struct DataLoadingErrorTests {
  private static let url = URL(string: "https://ann:secret@a.example/p?token=secret#secret")!

  @Test("Descriptions of requests and errors contain no user, password, query, fragment or secret header")
  func redaction() {
    var head = LoadedHead(status: 403, url: Self.url)
    head.headers = ["Set-Cookie": "secret"]
    var request = DataRequest(url: Self.url)
    request.headers = ["Authorization": "secret"]
    let texts = [
      DataLoadingError.status(403, head: head).description, head.description, request.description, "\(head)",
      "\(request)", "\(request.headers)",
    ]

    #expect(texts[0] == "The server returned status 403 for https://a.example/p?…")
    #expect(texts.allSatisfy { !$0.contains("secret") && !$0.contains("ann") })
  }

  @Test("Temporary failures are transient, and permanent ones are not")
  func transience() {
    let head = LoadedHead(url: Self.url)
    let transient: [DataLoadingError] = [
      .timedOut(.idle), .cannotResolve(host: "a"), .cannotConnect(host: "a", reason: ""),
      .truncated(received: 1, expected: 2),
      .connectionLost(.firstByte, reason: ""), .status(503, head: head), .status(429, head: head),
      .unavailable("memory"),
    ]
    let lasting: [DataLoadingError] = [
      .status(404, head: head), .tooLarge(limit: 1, announced: nil), .cancelled, .invalidated, .badURL(""),
      .tls(host: "a", reason: ""), .redirectRefused(.loop), .fileNotFound(path: ""), .malformedDataURL(""),
    ]

    #expect(transient.filter { !$0.isTransient } == [])
    #expect(lasting.filter { $0.isTransient } == [])
    #expect(lasting.filter { $0.isCancellation } == [.cancelled])
  }

  @Test("A description says in which phase a load failed, and why a redirect was refused")
  func details() {
    let phases: [(DataLoadingError.Phase, String)] = [
      (.connect, "while connecting"), (.firstByte, "while waiting for the response"),
      (.idle, "while receiving the body"), (.total, "before it was complete"),
    ]
    for (phase, text) in phases {
      #expect(DataLoadingError.timedOut(phase).description == "The load timed out \(text)")
      #expect(
        DataLoadingError.connectionLost(phase, reason: "reset").description
          == "The connection was lost \(text): reset")
    }
    let refusals: [(DataLoadingError.RedirectRefusal, String)] = [
      (.scheme("ftp"), "it leads to the scheme \"ftp\""), (.downgrade, "it leads from https to http"),
      (.loop, "it leads to a URL that was already visited"), (.missingLocation, "it has no Location"),
      (.badLocation, "its Location cannot be read"), (.host("a"), "the host a is not allowed"),
    ]
    for (refusal, text) in refusals {
      #expect(
        DataLoadingError.redirectRefused(refusal).description == "The redirect was not followed: \(text)")
    }
  }
}
