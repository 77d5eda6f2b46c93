import Foundation
import StreamImages

/// An origin without a network, and a cache in front of it, at a time that the test sets.
struct ScriptedWeb {
  let origin = ScriptedOrigin()
  let store = RecordingDataCache()
  /// In seconds since 1970.
  let time = Shared(1_800_000_000)
  let url = URL(string: "https://a.example/a")!

  func cache(_ policy: HTTPCache.Policy = .respectingHTTP) -> HTTPCache {
    HTTPCache(origin, store: store, policy: policy) { [time] in time.value }
  }

  func advance(by seconds: Int) { time.change { $0 += seconds } }

  /// A time of HTTP, so many seconds from now.
  func date(_ offset: Int) -> String { HTTPTime.text(time.value + offset) }

  func request(_ path: String = "/a", _ headers: HeaderFields = [:]) -> DataRequest {
    DataRequest(url: URL(string: "https://a.example\(path)")!, headers: headers)
  }
}

/// Responds as a test says, and records requests and bodies.
final class ScriptedOrigin: DataLoading {
  struct Answer: Sendable {
    var status = 200
    var headers: HeaderFields = [:]
    var body = "body"
    var isContentCoded = false
    var error: DataLoadingError?
  }

  private let script = Shared<@Sendable (DataRequest) async -> Answer>({ _ in Answer() })
  let requests = Shared([DataRequest]())
  let bodies = Shared([CountedChunks]())

  /// Responds to each request with the result of `answer`.
  func serve(_ answer: @escaping @Sendable (DataRequest) async -> Answer) { script.change { $0 = answer } }

  /// Responds in turn. The last answer is repeated.
  func serve(_ answers: Answer...) {
    let rest = Shared(answers[...])
    serve { _ in
      let next = rest.value.first!
      rest.change { if $0.count > 1 { $0.removeFirst() } }
      return next
    }
  }

  func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
    requests.change { $0.append(request) }
    let answer = await script.value(request)
    if let error = answer.error { throw error }
    let head = LoadedHead(
      status: answer.status, headers: answer.headers, url: request.url,
      isContentCoded: answer.isContentCoded)
    guard request.acceptedStatuses.contains(answer.status) else { throw .status(answer.status, head: head) }
    let body = CountedChunks([Data(answer.body.utf8)])
    bodies.change { $0.append(body) }
    return LoadedData(head: head, body: body)
  }
}
