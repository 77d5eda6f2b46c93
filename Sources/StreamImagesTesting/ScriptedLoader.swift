public import Foundation
public import StreamImages
internal import Streams

/// A loader that does what a test says, for each URL: answers in pieces, waits, fails.
///
/// ```swift
/// let loader = ScriptedLoader()
/// loader.answer(url, with: bytes, inPiecesOf: 100, onDemand: true)
/// let task = pipeline.imageTask(with: url)
/// await loader.waitForLoad(of: url)
/// loader.sendPiece(of: url)
/// ```
///
/// It counts what was asked of it, and notices who has left. No network, no time.
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

  /// A loader that answers nothing until it is told to.
  public init() {}

  /// A loader that answers everything in the same way, whether or not head and pieces fit together.
  public convenience init(head: LoadedHead, chunks: [Data]) {
    self.init()
    state.withLock { $0.scripts[Self.anything] = Script(head: head, pieces: chunks) }
  }

  // MARK: What it is to do

  /// Answers a URL with bytes; by default at once and as one piece, its length announced.
  ///
  /// - Parameters:
  ///   - url: Of the requests to answer so from now on; `nil` changes nothing.
  ///   - data: The body.
  ///   - type: What the head says in `Content-Type`, if anything.
  ///   - size: How many bytes a piece has; the last may have fewer.
  ///   - isAnnounced: Whether the head says how many bytes there are.
  ///   - isOnDemand: Whether each piece waits for ``sendPiece(of:)``.
  ///   - failure: How the load ends after the last piece.
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

  /// Fails a URL before there is a head.
  public func fail(_ url: URL?, with error: DataLoadingError) {
    guard let url else { return }
    state.withLock { $0.scripts[url] = Script(head: LoadedHead(url: url), pieces: [], failure: error) }
  }

  /// Never answers a URL.
  public func hold(_ url: URL?) {
    guard let url else { return }
    state.withLock { $0.scripts[url] = Script(head: LoadedHead(url: url), pieces: [], holdsHead: true) }
  }

  /// Lets one more piece go to all who load a URL on demand; after the last, the end.
  public func sendPiece(of url: URL?) {
    for load in state.withLock({ $0.loads.filter { $0.url == url }.map(\.load) }) { load.permit(1) }
  }

  /// Lets all pieces go.
  public func sendRest(of url: URL?) {
    for load in state.withLock({ $0.loads.filter { $0.url == url }.map(\.load) }) { load.permit(1 << 30) }
  }

  // MARK: What it was asked

  /// All loads that were begun, in order.
  public var requests: [DataRequest] { state.withLock { $0.requests } }

  /// How often a URL was loaded.
  public func loads(of url: URL?) -> Int { requests.count { $0.url == url } }

  /// How many loads of a URL were cancelled before their end.
  public func departures(from url: URL?) -> Int { state.withLock { $0.departures.count { $0 == url } } }

  /// Waits until a URL was loaded so many times.
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
