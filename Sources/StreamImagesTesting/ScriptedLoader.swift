public import Foundation
public import StreamImages
internal import Streams

/// A loader that a test controls: for each URL, it responds in pieces, waits, or fails.
///
/// ```swift
/// let loader = ScriptedLoader()
/// loader.answer(url, with: bytes, inPiecesOf: 100, onDemand: true)
/// let task = pipeline.imageTask(with: url)
/// await loader.waitForLoad(of: url)
/// loader.sendPiece(of: url)
/// ```
///
/// It records requests and cancelled loads. It uses neither a network nor a clock.
public final class ScriptedLoader: DataLoading {
  struct Script: Sendable {
    var head: LoadedHead
    var pieces: [Data]
    var failure: DataLoadingError?
    var isOnDemand = false
    var holdsHead = false
  }

  struct State {
    var scripts: [URL: Script] = [:]
    var requests: [DataRequest] = []
    var departures: [URL] = []
    var loads: [(url: URL, load: ScriptedLoad)] = []
    var waiting: [(url: URL, count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Guarded(State())

  /// Creates a loader without responses.
  public init() {}

  /// Creates a loader with the same response for every request. Head and chunks need not match.
  public convenience init(head: LoadedHead, chunks: [Data]) {
    self.init()
    state.withLock { $0.scripts[Self.anything] = Script(head: head, pieces: chunks) }
  }

  // MARK: Responses

  /// Responds to a URL with bytes; by default at once, as one piece, and with its length announced.
  ///
  /// - Parameters:
  ///   - url: The URL. `nil` has no effect.
  ///   - data: The body.
  ///   - type: The `Content-Type`, if any.
  ///   - size: The size of a piece. The last one may be smaller.
  ///   - isAnnounced: Whether the head contains the length.
  ///   - isOnDemand: Whether each piece waits for ``sendPiece(of:)``.
  ///   - failure: The error after the last piece, if any; before the head if `data` is empty.
  public func answer(
    _ url: URL?, with data: Data, type: String? = nil, inPiecesOf size: Int = .max, isAnnounced: Bool = true,
    onDemand isOnDemand: Bool = false, failingWith failure: DataLoadingError? = nil
  ) {
    guard let url else { return }
    let pieces = stride(from: 0, to: data.count, by: max(1, min(size, max(1, data.count)))).map {
      data.subdata(in: $0..<min(data.count, $0 + min(size, data.count)))
    }
    let headers = HeaderFields(type.map { [HeaderFields.Field(name: "Content-Type", value: $0)] } ?? [])
    let head = LoadedHead(headers: headers, url: url, expectedByteCount: isAnnounced ? data.count : nil)
    state.withLock {
      $0.scripts[url] = Script(head: head, pieces: pieces, failure: failure, isOnDemand: isOnDemand)
    }
  }

  /// Fails loads of a URL before their head.
  public func fail(_ url: URL?, with error: DataLoadingError) {
    guard let url else { return }
    state.withLock { $0.scripts[url] = Script(head: LoadedHead(url: url), pieces: [], failure: error) }
  }

  /// Never responds to a URL. Loads of it end when they are cancelled.
  public func hold(_ url: URL?) {
    guard let url else { return }
    state.withLock { $0.scripts[url] = Script(head: LoadedHead(url: url), pieces: [], holdsHead: true) }
  }

  /// Sends one more piece to each load of a URL that is on demand. After the last piece, sends the end.
  public func sendPiece(of url: URL?) {
    for load in state.withLock({ $0.loads.filter { $0.url == url }.map(\.load) }) { load.permit(1) }
  }

  /// Sends all remaining pieces.
  public func sendRest(of url: URL?) {
    for load in state.withLock({ $0.loads.filter { $0.url == url }.map(\.load) }) { load.permit(1 << 30) }
  }

  // MARK: Requests

  /// All requests, in order.
  public var requests: [DataRequest] { state.withLock { $0.requests } }

  /// Returns how many times a URL was loaded.
  public func loads(of url: URL?) -> Int { requests.count { $0.url == url } }

  /// Returns how many loads of a URL were cancelled.
  public func departures(from url: URL?) -> Int { state.withLock { $0.departures.count { $0 == url } } }

  /// Waits until a URL was loaded `count` times.
  nonisolated(nonsending) public func waitForLoad(of url: URL?, count: Int = 1) async {
    guard let url else { return }
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        let isThere = state.requests.count { $0.url == url } >= count
        if !isThere { state.waiting.append((url, count, continuation)) }
        return isThere
      }
      if isThere { continuation.resume() }
    }
  }

  // MARK: Loading

  public func load(
    _ request: DataRequest, limits: LoadLimits
  ) async throws(DataLoadingError) -> LoadedData {
    let load = ScriptedLoad { [weak self] in
      self?.state.withLock { $0.departures.append(request.url) }
    }
    let (script, waiting) = state.withLock { state in
      state.requests.append(request)
      state.loads.append((request.url, load))
      let count = state.requests.count { $0.url == request.url }
      let waiting = state.waiting.filter { $0.url == request.url && $0.count <= count }
      state.waiting.removeAll { $0.url == request.url && $0.count <= count }
      return (state.scripts[request.url] ?? state.scripts[Self.anything], waiting)
    }
    for entry in waiting { entry.continuation.resume() }
    guard let script else { throw .cannotResolve(host: request.url.host() ?? "") }
    load.begin(script)
    if script.holdsHead { try await load.waitForEver() }
    if script.pieces.isEmpty, let failure = script.failure { throw failure }
    return LoadedData(head: script.head, body: load)
  }

  private static let anything = URL(filePath: "/any")
}
