internal import Foundation
internal import Streams

/// Sends a token with each request to some origins, and requests a new one when a server responds with 401.
///
/// Concurrent 401 responses cause one request for a new token. All affected requests wait for it and are sent again,
/// once. The token is not sent to other schemes, hosts or ports, nor to the targets of redirects to them. A 401
/// response of such a target is an error. So is one behind any redirect of a POST or PATCH, which is not sent twice.
public final class AuthorizationMiddleware: DataLoadingMiddleware {
  private let origins: Set<Origin>
  private let scheme: String
  private let tokens: TokenRefresher

  /// Creates a middleware that sends a token to these origins.
  ///
  /// - Parameters:
  ///   - origins: The origins that may receive the token: a host, with an optional scheme and port. `"photos.example"`
  ///     means `https` and its default port, `"photos.example:8443"` another port, and `"http://localhost:8080"` plain
  ///     HTTP. Text that is not an origin is ignored.
  ///   - scheme: The authentication scheme in the `Authorization` header.
  ///   - token: Returns a token: the first one, or one that replaces `rejected`. Called once at a time. If it throws,
  ///     all waiting requests fail: with that error if it is a ``DataLoadingError``, otherwise with
  ///     ``DataLoadingError/refused(reason:)``.
  public init(
    origins: Set<String>, scheme: String = "Bearer",
    token: @escaping @Sendable (_ rejected: String?) async throws -> String
  ) {
    self.origins = Set(origins.compactMap { Origin(URIReference($0.contains("://") ? $0 : "https://\($0)")) })
    self.scheme = scheme
    tokens = TokenRefresher(token)
  }

  public func load(
    _ request: DataRequest, limits: LoadLimits, next: any DataLoading
  ) async throws(DataLoadingError) -> LoadedData {
    guard let origin = Origin(URIReference(request.url.absoluteString)), origins.contains(origin) else {
      return try await next.load(request, limits: limits)
    }
    let token = try await tokens.token(insteadOf: nil)
    do throws(DataLoadingError) { return try await next.load(signed(request, token), limits: limits) } catch {
      guard case .status(401, let head) = error, isRejection(head, of: request, to: origin) else {
        throw error
      }
      let fresh = try await tokens.token(insteadOf: token)
      return try await next.load(signed(request, fresh), limits: limits)
    }
  }

  /// Whether a 401 response is about the token, and the request can be sent again. Redirects to other origins leave the
  /// token out.
  private func isRejection(_ head: LoadedHead, of request: DataRequest, to origin: Origin) -> Bool {
    guard head.wasRedirected else { return true }
    return request.method.isIdempotent && Origin(URIReference(head.url.absoluteString)) == origin
  }

  private func signed(_ request: DataRequest, _ token: String) -> DataRequest {
    var signed = request
    signed.headers["Authorization"] = "\(scheme) \(token)"
    return signed
  }
}

/// The current token, and the requests that wait for a new one.
private final class TokenRefresher: Sendable {
  private typealias Outcome = Result<String, DataLoadingError>

  private struct State: Sendable {
    var token: String?
    var isRefreshing = false
    var waiting = WaitingTasks<Outcome, Void>()

    /// The current token, unless a new one is needed or requested already.
    func token(insteadOf rejected: String?) -> String? { isRefreshing || token == rejected ? nil : token }
  }

  private let newToken: @Sendable (String?) async throws -> String
  private let state = Guarded(State())

  init(_ newToken: @escaping @Sendable (String?) async throws -> String) { self.newToken = newToken }

  func token(insteadOf rejected: String?) async throws(DataLoadingError) -> String {
    if let token = state.withLock({ $0.token(insteadOf: rejected) }) { return token }
    var isFirst = false
    let outcome = await state.wait(in: { $1(&$0.waiting) }, info: (), ifCancelled: .failure(.cancelled)) {
      state in
      if Task.isCancelled { return .failure(.cancelled) }
      if let token = state.token(insteadOf: rejected) { return .success(token) }
      isFirst = !state.isRefreshing
      state.isRefreshing = true
      return nil
    } enqueued: {
      // A task of its own, because all waiting tasks share it: cancelling one of them must not stop it.
      if isFirst { Task.detached { [self] in await refresh(rejected) } }
    }
    return try outcome.get()
  }

  private func refresh(_ rejected: String?) async {
    let outcome: Outcome
    do { outcome = .success(try await newToken(rejected)) } catch {
      outcome = .failure(error as? DataLoadingError ?? .refused(reason: "no token"))
    }
    let waiting = state.withLock { state in
      state.isRefreshing = false
      state.token = try? outcome.get()
      return state.waiting.removeAll()
    }
    for task in waiting { task.resume(returning: outcome) }
  }
}
