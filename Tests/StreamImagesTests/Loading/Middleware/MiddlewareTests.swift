import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite("Middleware", .timeLimit(.minutes(20)))
struct MiddlewareTests {
  private struct Conditions: NetworkConditions {
    var isConstrained = false
    var isExpensive = false
  }

  private struct Recording: DataLoadingMiddleware {
    let name: String
    let events: Shared<[String]>

    func load(
      _ request: DataRequest, limits: LoadLimits, next: any DataLoading
    ) async throws(DataLoadingError) -> LoadedData {
      events.change { $0.append("request \(name)") }
      let loaded = try await next.load(request, limits: limits)
      events.change { $0.append("response \(name)") }
      return loaded
    }
  }

  @Test("Middleware receives a request in order and its response in reverse order")
  func directions() async throws {
    try await withLoopback { server, network async throws in
      server.serve("/a", .bytes(Data()))
      let events = Shared<[String]>([])
      let loader = network.with(Recording(name: "1", events: events), Recording(name: "2", events: events))

      _ = try await loader.data(for: DataRequest(url: server.url("/a")))

      #expect(events.value == ["request 1", "request 2", "response 2", "response 1"])
    }
  }

  @Test("Request middleware changes requests in order")
  func order() async throws {
    try await withLoopback { server, network async throws in
      server.serve("/a", .bytes(Data()))
      func adding(_ value: String) -> RequestMiddleware {
        RequestMiddleware { request throws(DataLoadingError) in request.headers.append("X-Way", value) }
      }

      _ = try await network.with(adding("1"), adding("2")).data(for: DataRequest(url: server.url("/a")))

      #expect(server.requests[0].headers.filter { $0.name == "X-Way" }.map(\.value) == ["1", "2"])
    }
  }

  @Test("Request middleware runs for each request, and an error prevents sending")
  func signing() async throws {
    try await withLoopback { server, network async throws in
      server.serve("/a", .bytes(Data()))
      let count = Shared(0)
      let loader = network.with(
        RequestMiddleware { request throws(DataLoadingError) in
          count.change { $0 += 1 }
          guard count.value < 3 else { throw .refused(reason: "enough") }
          request.headers.replace("X-Signature", with: "\(count.value)", isSecret: true)
        })
      let request = DataRequest(url: server.url("/a"))

      for _ in 0..<2 { _ = try await loader.data(for: request) }
      let error = await failure { () throws(DataLoadingError) in try await loader.data(for: request) }

      #expect(server.requests.map { $0[header: "X-Signature"] } == ["1", "2"])
      #expect(error == .refused(reason: "enough"))
    }
  }

  @Test("Alternative addresses are tried in order, and the error is that of the last")
  func alternatives() async throws {
    try await withLoopback { server, network async throws in
      server.serve("/small", .bytes(pattern(10)))
      func loader(_ paths: String...) -> any DataLoading {
        network.with(AlternativesMiddleware { _, _ in paths.map { DataRequest(url: server.url($0)) } })
      }
      let request = DataRequest(url: server.url("/large"))

      let (head, body) = try await loader("/none", "/small").data(for: request)
      let error = await failure { () throws(DataLoadingError) in try await loader("/x").data(for: request) }

      #expect(body == pattern(10))
      #expect(head.url == server.url("/small"))
      #expect(server.requests.map(\.path) == ["/large", "/none", "/small", "/large", "/x"])
      if case .status(404, let head) = error {
        #expect(head.url == server.url("/x"))
      } else {
        unexpected(error)
      }
    }
  }

  @Test("A load that network conditions forbid is not sent, and an alternative is used")
  func lowData() async throws {
    try await withLoopback { server, network async throws in
      server.serve("*", .bytes(pattern(10)))
      var large = DataRequest(url: server.url("/large"))
      large.allowsConstrainedNetworkAccess = false
      var cheap = DataRequest(url: server.url("/cheap"))
      cheap.allowsExpensiveNetworkAccess = false
      func error(_ request: DataRequest, _ conditions: Conditions) async -> DataLoadingError? {
        await failure { () throws(DataLoadingError) in
          try await network.with(NetworkConditionsMiddleware(conditions)).data(for: request)
        }
      }

      #expect(await error(large, Conditions()) == nil)
      #expect(await error(large, Conditions(isConstrained: true)) == .networkUnavailable(.constrained))
      #expect(await error(large, Conditions(isExpensive: true)) == nil)
      #expect(await error(cheap, Conditions(isExpensive: true)) == .networkUnavailable(.expensive))
      let small = network.with(
        AlternativesMiddleware { _, error in
          error == .networkUnavailable(.constrained) ? [DataRequest(url: server.url("/small"))] : []
        }, NetworkConditionsMiddleware(Conditions(isConstrained: true)))
      #expect(try await small.data(for: large).head.url == server.url("/small"))
      #expect(server.requests.map(\.path) == ["/large", "/large", "/small"])
    }
  }
}
