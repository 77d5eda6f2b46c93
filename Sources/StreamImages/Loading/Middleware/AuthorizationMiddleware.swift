internal import Foundation
internal import Streams

/// Sends a token with each request to some origins, and gets a new one when a server answers 401.
///
/// However many requests are answered with 401 at the same time, one new token is asked for; all of them wait for it and
/// are sent again, once. The token goes nowhere else: not to other schemes, hosts or ports, nor along with redirects to
/// them.
public final class AuthorizationMiddleware: DataLoadingMiddleware {
  private let origins: Set<Origin>
  private let scheme: String
  private let tokens: TokenDesk

  /// One that sends a token to these origins.
  ///
  /// - Parameters:
  ///   - origins: Where the token may be sent: a host, and a scheme and a port if need be. `"photos.example"` means
  ///     `https` and its port; `"photos.example:8443"` another port; `"http://localhost:8080"` a token in the clear.
  ///     Text that is no origin trusts nobody.
  ///   - scheme: What stands before the token in `Authorization`.
  ///   - token: Gets a token: the first, or one instead of `rejected`. One call at a time. Throwing fails all who wait
  ///     for it with ``DataLoadingError/refused(reason:)``.
  public init(
    origins: Set<String>, scheme: String = "Bearer",
    token: @escaping @Sendable (_ rejected: String?) async throws -> String
  ) {
    self.origins = Set(origins.compactMap { Origin(URIReference($0.contains("://") ? $0 : "https://\($0)")) })
    self.scheme = scheme
    tokens = TokenDesk(token)
  }

  public func load(
    _ request: DataRequest, limits: LoadLimits, next: any DataLoading
  ) async throws(DataLoadingError) -> LoadedData {
    guard let origin = Origin(URIReference(request.url.absoluteString)), origins.contains(origin) else {
      return try await next.load(request, limits: limits)
    }
    let token = try await tokens.token(insteadOf: nil)
    do throws(DataLoadingError) { return try await next.load(signed(request, token), limits: limits) } catch {
      guard case .status(401, _) = error else { throw error }
      let fresh = try await tokens.token(insteadOf: token)
      return try await next.load(signed(request, fresh), limits: limits)
    }
  }

  private func signed(_ request: DataRequest, _ token: String) -> DataRequest {
    var signed = request
    signed.headers.replace("Authorization", with: "\(scheme) \(token)", isSecret: true)
    return signed
  }
}

/// The token in use, and those who wait for a new one.
private final class TokenDesk: Sendable {
  typealias Answer = Result<String, DataLoadingError>

  private struct State: Sendable {
    var token: String?
    var isAsking = false
    var lastTicket = 0
    var waiting: [Int: CheckedContinuation<Answer, Never>] = [:]
    /// Cancelled before they waited.
    var left: Set<Int> = []
  }

  private let ask: @Sendable (String?) async throws -> String
  private let state = Guarded(State())

  init(_ ask: @escaping @Sendable (String?) async throws -> String) { self.ask = ask }

  func token(insteadOf rejected: String?) async throws(DataLoadingError) -> String {
    let (known, ticket) = state.withLock { state -> (String?, Int) in
      state.lastTicket += 1
      let isGood = state.token != nil && state.token != rejected && !state.isAsking
      return (isGood ? state.token : nil, state.lastTicket)
    }
    if let known { return known }
    let answer = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in wait(continuation, ticket, rejected) }
    } onCancel: {
      leave(ticket)
    }
    // Cancelled after the answer was there.
    state.withLock { _ = $0.left.remove(ticket) }
    return try answer.get()
  }

  private func wait(_ continuation: CheckedContinuation<Answer, Never>, _ ticket: Int, _ rejected: String?) {
    let (answer, asks) = state.withLock { state -> (Answer?, Bool) in
      if state.left.remove(ticket) != nil { return (.failure(.cancelled), false) }
      if let token = state.token, token != rejected, !state.isAsking { return (.success(token), false) }
      state.waiting[ticket] = continuation
      defer { state.isAsking = true }
      return (nil, !state.isAsking)
    }
    if let answer { continuation.resume(returning: answer) }
    // On its own: it is for all who wait, and one of them giving up does not stop it.
    if asks { Task.detached { [self] in await renew(rejected) } }
  }

  private func renew(_ rejected: String?) async {
    let answer: Answer
    do { answer = .success(try await ask(rejected)) } catch {
      answer = .failure(error as? DataLoadingError ?? .refused(reason: "no token"))
    }
    let waiting = state.withLock { state in
      state.isAsking = false
      state.token = try? answer.get()
      defer { state.waiting = [:] }
      return state.waiting
    }
    for continuation in waiting.values { continuation.resume(returning: answer) }
  }

  private func leave(_ ticket: Int) {
    let waiting = state.withLock { state in
      let waiting = state.waiting.removeValue(forKey: ticket)
      if waiting == nil { state.left.insert(ticket) }
      return waiting
    }
    waiting?.resume(returning: .failure(.cancelled))
  }
}
