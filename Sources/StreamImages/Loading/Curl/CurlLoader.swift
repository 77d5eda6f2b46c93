import CTransport
public import Foundation
internal import Streams

/// Loads `http:` and `https:` URLs through libcurl, on one thread of its own.
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
    case running(CurlLoop)
    case invalidated
  }

  private let configuration: Configuration
  private let state = Guarded(State.idle)

  /// Takes neither a thread nor a descriptor before the first load.
  public init(_ configuration: Configuration = Configuration()) {
    self.configuration = configuration
  }

  deinit { invalidate() }

  /// Runs tasks on the thread that loads, as it comes by between two turns of libcurl.
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
    do throws(DataLoadingError) { return try loop() } catch { return globalConcurrentExecutor }
  }

  public func load(
    _ request: DataRequest, limits: LoadLimits
  ) async throws(DataLoadingError) -> LoadedData {
    let journey = try Journey(request, limits: limits, hosts: configuration.hostPolicy)
    let pipe = try loop().start(journey, bufferedByteCount: configuration.bufferedByteCount)
    let head = try await pipe.head()
    return LoadedData(head: head, body: CurlChunks(pipe, of: self))
  }

  /// The task is woken once, when all is there.
  public func data(
    for request: DataRequest, limits: LoadLimits
  ) async throws(DataLoadingError) -> (head: LoadedHead, body: Data) {
    let journey = try Journey(request, limits: limits, hosts: configuration.hostPolicy)
    // Who wants all of it lets nothing wait.
    return try await loop().start(journey, bufferedByteCount: .max).whole()
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
    if case .running(let loop) = earlier { loop.stop() }
  }

  private func loop() throws(DataLoadingError) -> CurlLoop {
    let result: Result<CurlLoop, DataLoadingError> = state.withLock { state in
      switch state {
      case .running(let loop): return .success(loop)
      case .invalidated: return .failure(.invalidated)
      case .idle:
        guard let loop = CurlLoop(configuration) else {
          return .failure(.unavailable("no thread, or no libcurl"))
        }
        state = .running(loop)
        return .success(loop)
      }
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
