public import Foundation
#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif
public import Streams

extension URLSession {
  /// Returns a publisher of the response of a URL.
  ///
  /// Each subscriber has a task of its own, which starts with the first request and is cancelled with the subscription. A
  /// status of 404 is a response, not a failure.
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

    /// The request of each subscriber's task.
    public let request: URLRequest
    /// The session that creates the tasks.
    public let session: URLSession

    /// A publisher of the response to `request`. See `URLSession.dataTaskPublisher(for:)`.
    public init(request: URLRequest, session: URLSession) {
      self.request = request
      self.session = session
    }

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == URLError {
      let core = OperatorCore("URLSession.DataTaskPublisher", zeroDemand: .traps, to: subscriber)
      let task = Guarded(URLSessionDataTask?.none)
      core.describe = { "DataTaskPublisher" }
      core.reflect = { core in
        [
          ("task", task.withLock { $0 } as Any),
          ("downstream", core.downstreamForMirror as Any), ("parent", Self?.some(self) as Any),
          ("demand", core.outstandingDemand),
        ]
      }
      core.onRequest { core, _ in
        if let running = task.withLock({ $0 }) { return running.resume() }  // as in Combine; it has no effect
        let end = { (data: Data?, response: URLResponse?, error: (any Error)?) -> Void in
          core.performValue {
            if let response, error == nil {
              core.emit((data: data ?? Data(), response: response))
              core.finish(.finished)
            } else {
              core.finish(.failure(URLError(of: error)))
            }
          }
        }
        let transfer = Transfer(end)  // the session calls it once, on a thread of its own
        let new = session.dataTask(with: request) { transfer.value($0, $1, $2) }
        task.withLock { $0 = new }
        core.onCancel { new.cancel() }
        core.onEnd { task.withLock { $0 = nil } }
        new.resume()
      }
      core.open(to: subscriber)
    }
  }
}

extension URLError {
  /// The error of a task. On Linux, an `NSError` of this domain is not converted by a cast.
  fileprivate init(of error: (any Error)?) {
    if let error = error as? URLError {
      self = error
    } else if let error = error as? NSError, error.domain == NSURLErrorDomain {
      self.init(_nsError: error)
    } else {
      self.init(.unknown)
    }
  }
}
