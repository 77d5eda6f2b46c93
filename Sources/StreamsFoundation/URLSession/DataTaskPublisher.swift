public import Foundation
#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif
public import Streams

extension URLSession {
  /// A publisher of what a URL answers.
  ///
  /// Each subscriber has a task of its own, which starts when it asks for something and is cancelled with it. A
  /// status of 404 is an answer, not a failure.
  public func dataTaskPublisher(for url: URL) -> DataTaskPublisher {
    dataTaskPublisher(for: URLRequest(url: url))
  }

  /// The same for a request.
  public func dataTaskPublisher(for request: URLRequest) -> DataTaskPublisher {
    DataTaskPublisher(request: request, session: self)
  }

  /// The publisher of ``dataTaskPublisher(for:)-(URLRequest)``.
  public struct DataTaskPublisher: Streams.Publisher, Sendable {
    public typealias Output = (data: Data, response: URLResponse)
    public typealias Failure = URLError

    /// What each subscriber's task asks for.
    public let request: URLRequest
    /// Who makes the tasks.
    public let session: URLSession

    /// A publisher of the answer to `request`. See `URLSession.dataTaskPublisher(for:)`.
    public init(request: URLRequest, session: URLSession) {
      self.request = request
      self.session = session
    }

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == URLError {
      subscriber.receive(subscription: DataTaskSubscription(self, Outlet(to: subscriber)))
    }
  }
}

/// One subscriber's task.
private final class DataTaskSubscription: Subscription, ReflectedByName, Sendable {
  typealias Answer = URLSession.DataTaskPublisher.Output

  private enum State {
    case waiting
    case running(URLSessionDataTask)
    case over
  }

  private let publisher: URLSession.DataTaskPublisher
  private let outlet: Outlet<Answer, URLError>
  private let state = Guarded(State.waiting)

  init(_ publisher: URLSession.DataTaskPublisher, _ outlet: Outlet<Answer, URLError>) {
    self.publisher = publisher
    self.outlet = outlet
  }

  func request(_ demand: Subscribers.Demand) {
    demand.requireSome(of: "URLSession.DataTaskPublisher")
    guard outlet.request(demand) else { return }
    // Made under the lock, started outside: a task that is not resumed calls nobody.
    let task = state.withLock { state -> URLSessionDataTask? in
      guard case .waiting = state else { return nil }
      let task = publisher.session.dataTask(with: publisher.request) { self.end($0, $1, $2) }
      state = .running(task)
      return task
    }
    task?.resume()
  }

  func cancel() {
    guard outlet.close() else { return }
    let before = state.withLock { state in
      defer { state = .over }
      return state
    }
    if case .running(let task) = before { task.cancel() }
  }

  private func end(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
    state.withLock { $0 = .over }
    if let response, error == nil {
      outlet.offer((data: data ?? Data(), response: response))
      outlet.end(.finished)
    } else {
      outlet.end(.failure(error as? URLError ?? URLError(.unknown)))
    }
  }

  var description: String { "DataTaskPublisher" }

  var reflectedChildren: [Mirror.Child] {
    let task = state.withLock { state -> URLSessionDataTask? in
      if case .running(let task) = state { task } else { nil }
    }
    return [
      ("task", task as Any), ("downstream", outlet.downstream as Any), ("parent", publisher),
      ("demand", outlet.tally.outstanding),
    ]
  }
}
