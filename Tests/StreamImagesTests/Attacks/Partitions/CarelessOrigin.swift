import Foundation
import StreamImages
import Streams

/// A server that gives each visitor an image of their own under one URL, and does nothing else to keep them apart: all
/// images have the same entity tag.
final class CarelessOrigin: DataLoading {
  private struct State {
    var visitor: UInt8 = 0
    var bodies: [UInt8: Data] = [:]
    var requests: [DataRequest] = []
    var headers: HeaderFields = [:]
    var location: String?
    var breaksOff = false
    var isClosed = false
    var arrivals: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  /// The blue of the first visitor's image. That of the second one is twice as much.
  static let blue: UInt8 = 80
  static let url = URL(string: "https://example.org/me.png")!
  private let state = Guarded(State())

  init() throws {
    let bodies = try (UInt8(1)...2).map { ($0, try Pictures.png(64, 48, blue: $0 * Self.blue)) }
    state.withLock { state in
      state.bodies = Dictionary(uniqueKeysWithValues: bodies)
      state.headers = ["Vary": "X-User", "ETag": "\"same\"", "Accept-Ranges": "bytes"]
    }
  }

  /// Adds a header to all responses.
  func add(_ name: String, _ value: String) { state.withLock { $0.headers.append(name, value) } }

  /// Requests that arrive from now on are this visitor's.
  func expect(_ visitor: UInt8) { state.withLock { $0.visitor = visitor } }

  /// The first request is redirected to `location`.
  func redirect(to location: String) { state.withLock { $0.location = location } }

  /// The next body ends in the middle.
  func breakOff() { state.withLock { $0.breaksOff = true } }

  /// Requests wait until ``open()``.
  func close() { state.withLock { $0.isClosed = true } }

  func open() {
    let waiting = state.withLock { state in
      state.isClosed = false
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  var requests: [DataRequest] { state.withLock { $0.requests } }

  func waitForRequests(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.requests.count < count { state.arrivals.append((count, continuation)) }
        return state.requests.count >= count
      }
      if isThere { continuation.resume() }
    }
  }

  func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
    let (visitor, arrived) = state.withLock { state in
      state.requests.append(request)
      let count = state.requests.count
      defer { state.arrivals.removeAll { $0.count <= count } }
      return (state.visitor, state.arrivals.filter { $0.count <= count })
    }
    for arrival in arrived { arrival.continuation.resume() }
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if state.isClosed { state.waiting.append(continuation) }
        return !state.isClosed
      }
      if isOpen { continuation.resume() }
    }
    return state.withLock { state in Self.answer(request, &state, visitor) }
  }

  private static func answer(_ request: DataRequest, _ state: inout State, _ visitor: UInt8) -> LoadedData {
    let body = state.bodies[visitor] ?? Data()
    var head = LoadedHead(headers: state.headers, url: request.url, expectedByteCount: body.count)
    if let location = state.location, request.url == url {
      head.status = 301
      head.headers.append("Location", location)
      head.expectedByteCount = 0
      return LoadedData(head: head, body: BufferedChunks(Data()))
    }
    // A tag names one response of a URL. A server that varies by a header cannot confirm a tag that all responses have.
    if request.headers["If-None-Match"] != nil, request.headers["X-User"] == nil {
      (head.status, head.expectedByteCount) = (304, 0)
      return LoadedData(head: head, body: BufferedChunks(Data()))
    }
    if let range = request.headers["Range"], let start = Int(range.filter(\.isNumber)) {
      head.status = 206
      head.partial = .init(bytes: start..<body.count, total: body.count)
      head.expectedByteCount = body.count - start
      return LoadedData(head: head, body: BufferedChunks(body.dropFirst(start)))
    }
    defer { state.breaksOff = false }
    return LoadedData(
      head: head,
      body: state.breaksOff ? TornBody(body.prefix(body.count / 2)) : BufferedChunks(body))
  }
}

/// A body whose connection is lost before its end.
private final class TornBody: DataChunks {
  private let beginning: Guarded<Data?>

  init(_ beginning: Data) { self.beginning = Guarded(Data(beginning)) }

  func next() async throws(DataLoadingError) -> Data? {
    if let first = beginning.withLock({ $0.take() }) { return first }
    throw .truncated(received: 0, expected: nil)
  }

  func cancel() {}
}
