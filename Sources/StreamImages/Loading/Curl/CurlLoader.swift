import CTransport
public import Foundation
internal import Streams

/// Loads `http:` and `https:` URLs through libcurl, on a thread of its own.
///
/// On two if it loads both bodies that are kept as they come and such that wait to be pulled; see
/// ``Configuration/multiplexes``.
///
/// HTTP/1.1 and HTTP/2 with TLS verified; connections are kept and used again. Any number of tasks may share
/// one loader, and normally all do: ``shared``. A body that nobody pulls pauses its transfer once
/// ``Configuration/bufferedByteCount`` bytes wait.
///
/// Redirects are followed here, not by libcurl: at most ``LoadLimits/maximumRedirectCount``, never from https
/// to http, never in a circle, never to another scheme, and only to hosts that ``Configuration/hostPolicy`` allows.
/// Secrets stay with the origin they were meant for.
public final class CurlLoader: DataLoading {
  /// The loader of those who need none of their own. Lives as long as the process.
  public static let shared = CurlLoader()

  private enum State: Sendable {
    case idle
    /// Apart, as libcurl knows of a host either that connections to it are shared or that they are not.
    case running(sharing: CurlLoop?, plain: CurlLoop?)
    case invalidated
  }

  private let configuration: Configuration
  private let state = Guarded(State.idle)

  /// Takes neither a thread nor a descriptor before the first load.
  public init(_ configuration: Configuration = Configuration()) {
    self.configuration = configuration
  }

  deinit { invalidate() }

  /// Runs tasks on the thread that loads, as it comes by between two turns of libcurl: the one of `data(for:)`.
  ///
  /// A task that prefers it is not woken on another thread for what it awaits of the loader, which for small bodies takes
  /// longer than the load. In return all loads wait while it computes: prefer it for what passes bodies on, not for
  /// what decodes them, and never for what blocks.
  ///
  /// ```swift
  /// let body = try await withTaskExecutorPreference(loader.executor) {
  ///   try await loader.data(for: DataRequest(url: url)).body
  /// }
  /// ```
  ///
  /// Starts the thread. Jobs that come after ``invalidate()`` run on the global executor, as do all if there is no
  /// thread to be had; then loads fail.
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
    let journey = try Journey(request, limits: limits, hosts: configuration.hostPolicy)
    let kept = request.buffersBody ? Int.max : configuration.bufferedByteCount
    let pipe = try loop(for: journey).start(journey, bufferedByteCount: kept)
    let head = try await pipe.head()
    return LoadedData(head: head, body: CurlChunks(pipe, of: self))
  }

  /// The task is woken once, when all is there.
  public func data(
    for request: DataRequest, limits: LoadLimits
  ) async throws(DataLoadingError) -> (head: LoadedHead, body: Data) {
    // Who wants all of it lets nothing wait.
    var request = request
    request.buffersBody = true
    let journey = try Journey(request, limits: limits, hosts: configuration.hostPolicy)
    return try await loop(for: journey).start(journey, bufferedByteCount: .max).whole()
  }

  /// Connects to the server of `url`, so that what is loaded next does not wait for that: for its name, TCP, TLS, and the news
  /// whether it speaks HTTP/2.
  ///
  /// It sends a `HEAD` request for `/`, whose answer does not matter: libcurl keeps no connection that nothing was asked of.
  /// The connection is used by the loads of a pipeline, and by ``data(for:limits:)``, for as long as
  /// ``Configuration/idleConnectionLifetime``. Throws if no connection can be made.
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
  /// On the loader's own thread, where tasks of its ``executor`` run, it closes them when the task waits or ends.
  ///
  /// Later loads fail in the same way. Happens on its own when the loader and all its bodies are let go of.
  public func invalidate() {
    let earlier = state.withLock { state in
      defer { state = .invalidated }
      return state
    }
    guard case .running(let sharing, let plain) = earlier else { return }
    sharing?.stop()
    plain?.stop()
  }

  private func loop(for journey: Journey) throws(DataLoadingError) -> CurlLoop {
    try loop(sharing: isSharing && journey.request.buffersBody)
  }

  private var isSharing: Bool { configuration.multiplexes && configuration.usesHTTP2 }

  private func loop(sharing: Bool) throws(DataLoadingError) -> CurlLoop {
    let result: Result<CurlLoop, DataLoadingError> = state.withLock { state in
      var (forSharing, plain): (CurlLoop?, CurlLoop?) = (nil, nil)
      switch state {
      case .running(let earlier, let earlierPlain): (forSharing, plain) = (earlier, earlierPlain)
      case .invalidated: return .failure(.invalidated)
      case .idle: break
      }
      if let loop = sharing ? forSharing : plain { return .success(loop) }
      var configuration = configuration
      configuration.multiplexes = sharing
      guard let loop = CurlLoop(configuration) else {
        return .failure(.unavailable("no thread, or no libcurl"))
      }
      state = .running(sharing: sharing ? loop : forSharing, plain: sharing ? plain : loop)
      return .success(loop)
    }
    return try result.get()
  }
}

/// Keeps the loader while the body lives, and stops the load when the body goes.
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
