internal import Foundation
public import StreamImages
public import Streams
internal import Synchronization
public import Tracing

/// A delegate that creates spans for the steps of each request, and sends the context of a load on to its origin.
///
/// ```swift
/// let tracing = PipelineTracing()
/// configuration.delegate = tracing
/// let pipeline = ImagePipeline(configuration)
/// let spans = tracing.follow(pipeline)
/// ```
///
/// The parent of the spans is the `ServiceContext` of the call that made the request, or that subscribed to its publisher. Requests
/// that share a step have one span for it, whose parent is that of one of them.
///
/// The spans are `image.disk`, `image.load`, `image.decode`, `image.preview`, `image.process`, `image.encode` and `image.store`. Each
/// has the attribute `image.outcome`, and after a failure `error.type`. A load over the network has `server.address`, `url.scheme`
/// and `http.request.method`, and is of the kind `client`. The tracer adds its headers, such as `traceparent`, to the request.
/// They are not part of any cache key.
public struct PipelineTracing: ForwardingPipelineDelegate {
  /// The delegate to which all calls are passed on.
  public let next: (any ImagePipelineDelegate)?
  private let chosen: (any Tracer)?
  private static let record = ImageRequest.UserInfoKey("StreamImagesTelemetry.trace")

  /// Creates a delegate.
  ///
  /// - Parameters:
  ///   - tracer: Makes the spans. By default, the tracer of the process.
  ///   - next: The delegate to which all calls are passed on.
  public init(tracer: (any Tracer)? = nil, next: (any ImagePipelineDelegate)? = nil) {
    (chosen, self.next) = (tracer, next)
  }

  private var tracer: any Tracer { chosen ?? InstrumentationSystem.tracer }

  /// Creates the spans of `pipeline`, until the result is cancelled or released. Without this, there are none.
  public func follow(_ pipeline: ImagePipeline) -> AnyCancellable {
    pipeline.stageEvents.sink { [self] event in end(event) }
  }

  /// Keeps the context of the caller with the request.
  public func prepare(_ request: ImageRequest) -> ImageRequest {
    var request = next?.prepare(request) ?? request
    request.userInfo[Self.record] = TraceRecord(parent: ServiceContext.current ?? .topLevel)
    return request
  }

  /// Begins the span of a load, whose context the origin receives.
  public func willLoad(_ address: DataRequest, for request: ImageRequest) async throws -> DataRequest {
    var address = try await next?.willLoad(address, for: request) ?? address
    guard let record = request.userInfo[Self.record] as? TraceRecord else { return address }
    let span = tracer.startSpan("image.load", context: record.parent, ofKind: .client)
    span.updateAttributes { attributes in
      attributes["http.request.method"] = address.method.rawValue
      attributes["url.scheme"] = address.url.scheme
      attributes["server.address"] = address.url.host(percentEncoded: false)
    }
    record.begin(span)
    tracer.inject(span.context, into: &address.headers, using: HeaderInjector())
    return address
  }

  private func end(_ event: StageEvent) {
    guard let record = event.request.userInfo[Self.record] as? TraceRecord else { return }
    let start = event.start.sinceEpoch
    let span =
      (event.stage == .load ? record.takeLoad() : nil)
      ?? tracer.startSpan("image.\(event.stage)", context: record.parent, at: start)
    span.attributes["image.outcome"] = "\(event.outcome)"
    if let code = event.errorCode { span.attributes["error.type"] = code }
    if event.outcome == .failed { span.setStatus(SpanStatus(code: .error)) }
    span.end(at: (event.start + event.duration).sinceEpoch)
  }
}

/// What a request takes along: the context of its caller, and the span of its load.
private final class TraceRecord: Sendable {
  let parent: ServiceContext
  private let load = Mutex<(any Span)?>(nil)

  init(parent: ServiceContext) { self.parent = parent }

  /// If the pipeline is not followed, nothing else ends the span.
  deinit { takeLoad()?.end() }

  func begin(_ span: any Span) {
    let earlier = load.withLock { load in
      defer { load = span }
      return load
    }
    earlier?.end()
  }

  func takeLoad() -> (any Span)? { load.withLock { $0.take() } }
}

private struct HeaderInjector: Injector {
  func inject(_ value: String, forKey key: String, into headers: inout HeaderFields) { headers[key] = value }
}

/// A time on the wall clock, for spans that are created after their end.
private struct EpochInstant: TracerInstant {
  let nanosecondsSinceEpoch: UInt64

  static func < (left: Self, right: Self) -> Bool { left.nanosecondsSinceEpoch < right.nanosecondsSinceEpoch }
}

extension ContinuousClock.Instant {
  fileprivate var sinceEpoch: EpochInstant {
    let age = (ContinuousClock.now - self) / .nanoseconds(1)
    let now = Double(DefaultTracerClock.now.nanosecondsSinceEpoch)
    return EpochInstant(nanosecondsSinceEpoch: UInt64(max(0, now - age)))
  }
}
