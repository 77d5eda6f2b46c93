import Foundation
import Streams

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Answers in place of a server, as tests of apps do it.
nonisolated final class StubbedServer: URLProtocol {
  private static let flaky = CurrentValueSubject<Int, Never>(0)

  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    let url = request.url!
    guard let (status, body) = answer(to: url.path) else {
      client?.urlProtocol(self, didFailWithError: URLError(.cannotConnectToHost))
      return
    }
    let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)!
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: Data(body.utf8))
    client?.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() {}

  private func answer(to path: String) -> (Int, String)? {
    switch path {
    case "/users": return (200, "[2, 1]")
    case "/users/1": return (200, #"{ "id": 1, "name": "Ada" }"#)
    case "/users/2": return (200, #"{ "id": 2, "name": "Grace" }"#)
    case "/news/all":
      let titles = ["Swift on servers", "Rain", "A swift returns"]
      return (
        200,
        "[\(titles.indices.map { #"{ "id": \#($0), "title": "\#(titles[$0])" }"# }.joined(separator: ","))]"
      )
    case "/news/sports": return (200, #"[{ "id": 9, "title": "Two to one" }]"#)
    case "/broken": return (200, "{")
    case "/unreachable": return nil
    case "/echo": return (200, request.httpMethod ?? "")
    case "/flaky":
      Self.flaky.value += 1
      return Self.flaky.value < 3 ? (503, "") : (200, "[\(Self.flaky.value)]")
    default: return (404, "")
    }
  }
}
