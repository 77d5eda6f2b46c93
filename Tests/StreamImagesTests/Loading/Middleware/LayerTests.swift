import Foundation
import StreamImages
import Testing

/// What passes through middlewares beside loads, and what is added to their requests.
@Suite("Layers of middlewares")
struct LayerTests {
  /// Fails each load with an error of its own, and notes what was asked of it.
  private final class Notes: DataLoading {
    let loads = Shared([DataRequest]())
    let forgotten = Shared([DataRequest]())
    let forgottenAll = Shared(0)
    private let errors: Shared<[DataLoadingError]>

    init(_ errors: [DataLoadingError] = []) { self.errors = Shared(errors.reversed()) }

    func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
      loads.change { $0.append(request) }
      var error: DataLoadingError?
      errors.change { error = $0.popLast() }
      throw error ?? .cannotResolve(host: "")
    }

    func forget(_ request: DataRequest) async { forgotten.change { $0.append(request) } }
    func forgetAll() async { forgottenAll.change { $0 += 1 } }
  }

  /// Does something else with the loader behind it than to load the request.
  private struct Other: DataLoadingMiddleware {
    let body: @Sendable (DataRequest, any DataLoading) async -> DataRequest

    func load(
      _ request: DataRequest, limits: LoadLimits, next: any DataLoading
    ) async throws(DataLoadingError) -> LoadedData {
      try await next.load(await body(request, next), limits: limits)
    }
  }

  private func request(_ path: String, of partition: String? = nil) -> DataRequest {
    var request = DataRequest(url: URL(string: "https://a.example\(path)")!)
    request.cachePartition = partition
    return request
  }

  @Test("A request that is forgotten is forgotten by the loader behind each middleware")
  func forgetting() async {
    let notes = Notes()
    let loader = notes.with(RetryMiddleware(), RequestMiddleware { _ in })

    await loader.forget(request("/a"))
    await loader.forgetAll()

    #expect(notes.forgotten.value == [request("/a")])
    #expect(notes.forgottenAll.value == 1)
  }

  @Test("A request that a middleware makes gets the partition of the first, unless it has its own")
  func partitions() async {
    for (first, own, last) in [
      (nil, nil, nil), ("ali", nil, "ali"), (nil, "bea", "bea"), ("ali", "bea", "bea"), ("ali", "ali", "ali"),
    ] as [(String?, String?, String?)] {
      let notes = Notes()
      let made = request("/b", of: own)
      let loader = notes.with(
        Other { _, next in
          await next.forget(made)
          await next.forgetAll()
          return made
        })

      let error = await failure { () throws(DataLoadingError) in
        try await loader.load(request("/a", of: first), limits: LoadLimits())
      }

      #expect(error == .cannotResolve(host: ""))
      #expect(notes.loads.value == [request("/b", of: last)])
      #expect(notes.forgotten.value == [request("/b", of: last)])
      #expect(notes.forgottenAll.value == 1)
    }
  }

  @Test("Alternatives are tried in turn until one is there, and none after a cancellation")
  func alternatives() async {
    let lost = DataLoadingError.cannotResolve(host: "b")
    for (errors, last, count) in [
      ([.cannotResolve(host: "a"), lost, lost], lost, 3), ([.cancelled], .cancelled, 1),
      ([lost, .cancelled], .cancelled, 2), ([lost, lost, .cancelled], .cancelled, 3),
    ] as [([DataLoadingError], DataLoadingError, Int)] {
      let notes = Notes(errors)
      let (second, third) = (request("/b"), request("/c"))
      let loader = notes.with(AlternativesMiddleware { _, _ in [second, third] })

      let error = await failure { () throws(DataLoadingError) in
        try await loader.load(request("/a"), limits: LoadLimits())
      }

      #expect(error == last)
      #expect(notes.loads.value.map(\.url.path) == Array(["/a", "/b", "/c"].prefix(count)))
    }
  }
}
