import CTransport
public import Foundation
internal import Streams

/// Loads `http:` and `https:` URLs with libcurl, on a thread of its own.
///
/// It uses a second thread if it loads both buffered and unbuffered bodies; see ``Configuration/multiplexes``.
///
/// Supports HTTP/1.1 and HTTP/2, verifies TLS certificates, and reuses connections. Any number of tasks may share one
/// loader, usually ``shared``. A body that is not read pauses its transfer after ``Configuration/bufferedByteCount``
/// bytes, unless the request has ``DataRequest/buffersBody``.
///
/// The loader follows redirects itself: at most ``LoadLimits/maximumRedirectCount``, never from https to http, never
/// in a loop, never to schemes other than these two, and only to hosts that ``Configuration/hostPolicy`` allows. Secrets
/// are not sent to other origins.
public final class CurlLoader: DataLoading {
  /// The shared loader. It lives as long as the process.
  public static let shared = CurlLoader()

  private struct State: Sendable {
    /// By whether loads share connections: libcurl either shares all connections to a host or none.
    var loops: [Bool: CurlLoop] = [:]
    var isInvalidated = false
  }

  private let configuration: Configuration
  private let state = Guarded(State())

  /// Creates a loader. It starts its thread with the first load, or for its ``executor``.
  public init(_ configuration: Configuration = Configuration()) {
    self.configuration = configuration
  }

  deinit { invalidate() }

  /// Runs tasks on the loading thread, between two turns of libcurl.
  ///
  /// A task that prefers this executor resumes without switching threads, which for small bodies takes longer than the
  /// load. While it computes, all loads wait. Use it for tasks that pass bodies on, not for decoding, and never for
  /// blocking calls.
  ///
  /// ```swift
  /// let body = try await withTaskExecutorPreference(loader.executor) {
  ///   try await loader.data(for: DataRequest(url: url)).body
  /// }
  /// ```
  ///
  /// Starts the thread. After ``invalidate()``, or if no thread can be started, jobs run on the global executor, and
  /// loads fail.
  public var executor: any TaskExecutor {
    do throws(DataLoadingError) {
      return try loop(sharing: isSharing)
    } catch {
      return globalConcurrentExecutor
    }
  }

  public func load(
    _ request: DataRequest, limits: LoadLimits
  ) async throws(DataLoadingError) -> LoadedData {
    let chain = try RedirectChain(request, limits: limits, hosts: configuration.hostPolicy)
    let kept = request.buffersBody ? Int.max : configuration.bufferedByteCount
    let loop = try loop(for: chain)
    let pipe = try loop.start(chain, bufferedByteCount: kept)
    let watch = request.changingPriority.map { loop.follow($0.value, for: pipe, from: request.priority) }
    defer { watch?.cancel() }
    let head = try await pipe.head()
    return LoadedData(head: head, body: CurlChunks(pipe, of: self))
  }

  /// Resumes the task only once, when the body is complete.
  public func data(
    for request: DataRequest, limits: LoadLimits
  ) async throws(DataLoadingError) -> (head: LoadedHead, body: Data) {
    // The whole body is read anyway, so nothing has to wait.
    var request = request
    request.buffersBody = true
    let chain = try RedirectChain(request, limits: limits, hosts: configuration.hostPolicy)
    return try await loop(for: chain).start(chain, bufferedByteCount: .max).whole()
  }

  /// Connects to the server of `url`, so that later loads need not wait for name resolution, TCP, TLS, and the
  /// negotiation of HTTP/2.
  ///
  /// It sends a `HEAD` request for `/` and ignores the response, because libcurl does not keep an unused connection.
  /// Loads of a pipeline and of ``data(for:limits:)`` use the connection, for up to
  /// ``Configuration/idleConnectionLifetime``. Throws if there is no connection or no response.
  public func warmUp(_ url: URL) async throws(DataLoadingError) {
    guard var address = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
      throw .badURL(Redaction.text(of: url))
    }
    (address.path, address.query, address.fragment) = ("/", nil, nil)
    (address.user, address.password) = (nil, nil)
    var request = DataRequest(url: address.url ?? url, method: .head)
    request.acceptedStatuses = Set(100...599)
    request.allowsRedirects = false
    _ = try await data(for: request)
  }

  /// Fails all loads with ``DataLoadingError/invalidated``, and closes every socket before it returns.
  ///
  /// On the loader's own thread, where tasks of its ``executor`` run, sockets are closed when the task suspends or
  /// ends.
  ///
  /// Later loads fail in the same way. Called automatically when the loader and all its bodies are deallocated.
  public func invalidate() {
    let loops = state.withLock { state in
      defer { state = State(isInvalidated: true) }
      return state.loops
    }
    for loop in loops.values { loop.stop() }
  }

  private func loop(for chain: RedirectChain) throws(DataLoadingError) -> CurlLoop {
    try loop(sharing: isSharing && chain.request.buffersBody)
  }

  private var isSharing: Bool { configuration.multiplexes && configuration.usesHTTP2 }

  private func loop(sharing: Bool) throws(DataLoadingError) -> CurlLoop {
    var ended: CurlLoop?
    defer { ended?.stop() }
    return try state.withLock { state throws(DataLoadingError) in
      guard !state.isInvalidated else { throw .invalidated }
      if let loop = state.loops[sharing] {
        guard loop.isOver else { return loop }
        ended = loop
      }
      var configuration = configuration
      configuration.multiplexes = sharing
      guard let loop = CurlLoop(configuration) else { throw .unavailable("no thread, or no libcurl") }
      state.loops[sharing] = loop
      return loop
    }
  }
}

/// Retains the loader while the body exists, and stops the load when the body is deallocated.
private final class CurlChunks: DataChunks {
  private let pipe: BodyPipe
  private let loader: CurlLoader

  init(_ pipe: BodyPipe, of loader: CurlLoader) {
    self.pipe = pipe
    self.loader = loader
  }

  deinit { pipe.cancel() }

  func next() async throws(DataLoadingError) -> Data? { try await pipe.next() }

  func cancel() { pipe.cancel() }
}
