public import Streams
internal import StreamsContext
public import Tracing

extension Publisher {
  /// Creates a span for each subscription.
  ///
  /// ```swift
  /// let report = rows.carryingContext().asyncMap { try await enrich($0) }.traced("report")
  /// ```
  ///
  /// The span begins with the subscription, and ends with the completion, or when the subscription is cancelled or released. Its
  /// parent is the subscriber's `ServiceContext`. Upstream of this operator, subscriptions and requests run with the context
  /// of the span, so spans that begin there are its children. Downstream, signals have the context of the subscriber.
  ///
  /// The attribute `streams.outcome` is `finished`, `failed`, `cancelled` or `released`, and `streams.value_count` the number of
  /// values. A failure is recorded as an error, with its type in `error.type`.
  ///
  /// - Parameters:
  ///   - name: The name of the span. Use few different ones.
  ///   - kind: The kind of the span.
  ///   - tracer: Makes the spans. By default, the tracer of the process.
  @_disfavoredOverload
  public func traced(
    _ name: String, ofKind kind: SpanKind = .internal, tracer: (any Tracer)? = nil,
    function: String = #function, fileID: String = #fileID, line: UInt = #line
  ) -> Traced<Self> {
    Traced(upstream: self) { context in
      (tracer ?? InstrumentationSystem.tracer).startSpan(
        name, context: context, ofKind: kind, at: DefaultTracerClock.now, function: function, file: fileID,
        line: line)
    }
  }
}

/// The publisher returned by ``Streams/Publisher/traced(_:ofKind:tracer:function:fileID:line:)``.
public struct Traced<Upstream: Publisher>: Publisher {
  public typealias Output = Upstream.Output
  public typealias Failure = Upstream.Failure

  /// The publisher whose subscriptions are traced.
  public let upstream: Upstream
  let start: (ServiceContext) -> any Span

  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    let outer = ServiceContext.current
    let span = start(outer ?? .topLevel)
    let above = Binding(ServiceContext.$current, to: span.context)
    let scope = ScopedSubscription(
      for: subscriber, above: above, below: Binding(ServiceContext.$current, to: outer)
    ) { ending in
      span.end(with: ending)
    }
    above.run { upstream.subscribe(scope) }
  }
}

extension Span {
  fileprivate func end<Failure>(with ending: ScopeEnding<Failure>) {
    updateAttributes { attributes in
      attributes["streams.outcome"] = ending.outcome.rawValue
      attributes["streams.value_count"] = ending.valueCount
      if let failure = ending.failure { attributes["error.type"] = String(reflecting: type(of: failure)) }
    }
    if let failure = ending.failure {
      recordError(failure)
      setStatus(SpanStatus(code: .error))
    }
    end()
  }
}
