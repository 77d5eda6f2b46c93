import Foundation
import LoopbackServer
import Streams
import StreamsFoundation
import StreamsTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("`URLSession.DataTaskPublisher`")
struct DataTaskPublisherTests {
  @Test("A data task publisher sends the response and finishes, even for status 404")
  func answers() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/here", Reply(body: Data("hello".utf8)))

    let here = URLSession.shared.dataTaskPublisher(for: server.url("/here")).record()
    let gone = URLSession.shared.dataTaskPublisher(for: server.url("/gone")).record()
    _ = await here.ended()
    _ = await gone.ended()

    #expect(here.values.map { $0.data } == [Data("hello".utf8)])
    #expect(here.completions == [.finished])
    #expect((gone.values.first?.response as? HTTPURLResponse)?.statusCode == 404)
  }

  @Test("A data task retains a subscriber that nothing else retains")
  func released() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/", Reply(body: Data("hello".utf8)))

    let body = await withCheckedContinuation { body in
      URLSession.shared.dataTaskPublisher(for: server.url("/")).map { $0.data }.replaceError(with: Data())
        .subscribe(
          AnySubscriber(receiveSubscription: { $0.request(.unlimited) }) {
            body.resume(returning: $0)
            return .none
          })
    }

    #expect(body == Data("hello".utf8))
  }

  @Test("A data task publisher fails if no server responds")
  func failure() async throws {
    let server = try LoopbackServer()
    let url = server.url("/")
    server.stop()

    let recorder = URLSession.shared.dataTaskPublisher(for: url).record()
    let completion = await recorder.ended()

    guard case .failure(let error)? = completion else {
      Issue.record("no failure")
      return
    }
    #expect(error.code == .cannotConnectToHost)
    #expect(recorder.values.isEmpty)
    #expect(recorder.completions.count == 1)
  }

  @Test("A data task publisher fails with the code and the information of the session's error")
  func errors() async {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [FailingProtocol.self]
    let session = URLSession(configuration: configuration)

    var errors: [URLError] = []
    for domain in ["mock", NSURLErrorDomain] {
      let url = URL(string: "failing://\(domain)")!
      if case .failure(let error)? = await session.dataTaskPublisher(for: url).record().ended() {
        errors.append(error)
      }
    }

    #expect(errors.map(\.code) == [.unknown, .timedOut])
    #expect((errors.last?.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == 7)
  }

  @Test("A data task publisher starts one task for each subscriber that requests a value")
  func cold() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/", Reply(body: Data("x".utf8)))
    let publisher = URLSession.shared.dataTaskPublisher(for: server.url("/"))

    let idle = publisher.record(demand: .none)
    let first = publisher.record()
    let second = publisher.record()
    _ = await first.ended()
    _ = await second.ended()

    #expect(server.requests.count == 2)
    #expect(idle.values.isEmpty)
    idle.cancel()
  }

  @Test("A data task publisher traps on a request for no values")
  func zeroDemand() async {
    await #expect(processExitsWith: .failure) {
      let url = try #require(URL(string: "http://127.0.0.1:1/"))
      let recorder = URLSession.shared.dataTaskPublisher(for: url).record(demand: .none)
      recorder.subscriptions[0].request(.none)
    }
  }
}

/// Fails each request with an error of the domain that is its host.
private final class FailingProtocol: URLProtocol {
  override class func canInit(with _: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    let error = NSError(
      domain: request.url?.host ?? "", code: NSURLErrorTimedOut,
      userInfo: [NSUnderlyingErrorKey: NSError(domain: "cause", code: 7)])
    client?.urlProtocol(self, didFailWithError: error)
  }

  override func stopLoading() {}
}
