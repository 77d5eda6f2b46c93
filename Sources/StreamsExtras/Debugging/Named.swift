extension Publisher {
  /// Names the chain above this place, for ``Timeline`` and other tools.
  ///
  /// ```swift
  /// let results = terms.flatMap { search($0) }.named("search")
  /// ```
  ///
  /// Nothing else changes: the subscriber is attached to this publisher itself, so a value costs nothing.
  @_disfavoredOverload
  @inlinable
  public func named(
    _ name: String, fileID: String = #fileID, line: Int = #line
  ) -> MorePublishers.Named<Self> {
    MorePublishers.Named(self, name, at: CallSite(fileID: fileID, line: line))
  }
}

extension MorePublishers {
  /// The publisher returned by ``Streams/Publisher/named(_:fileID:line:)``.
  public struct Named<Upstream: Publisher>: Publisher, LabellingPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that is named.
    public let upstream: Upstream
    /// The name. Can be empty.
    public let name: String
    /// The place of the call.
    public let place: CallSite

    @inlinable
    init(_ upstream: Upstream, _ name: String, at place: CallSite) {
      self.upstream = upstream
      self.name = name
      self.place = place
    }

    package var label: StreamLabel { StreamLabel(name, fileID: place.fileID, line: place.line) }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.attach(subscriber)
    }
  }
}

extension MorePublishers.Named: Equatable where Upstream: Equatable {}
extension MorePublishers.Named: Sendable where Upstream: Sendable {}
