extension MorePublishers {
  /// A publisher that creates a resource for each subscription, and releases it afterwards.
  ///
  /// ```swift
  /// MorePublishers.Using {
  ///   try File(path)
  /// } publisher: {
  ///   $0.lines
  /// } release: {
  ///   $0.close()
  /// }
  /// ```
  ///
  /// The resource is released exactly once, at the end, or when the subscription is cancelled or released. If it cannot be
  /// created, the stream fails.
  public struct Using<Resource, Source: Publisher>: Publisher {
    public typealias Output = Source.Output
    public typealias Failure = Source.Failure

    @usableFromInline let resource: () throws(Source.Failure) -> Resource
    @usableFromInline let publisher: (Resource) -> Source
    @usableFromInline let release: (Resource) -> Void
    @usableFromInline let releasesFirst: Bool

    /// Creates a publisher that creates a resource for each subscription, and releases it once.
    ///
    /// - Parameters:
    ///   - releasesFirst: Whether the resource is released before the completion is delivered, or after.
    ///   - resource: Creates the resource. Not called for a subscriber that cancels on arrival.
    ///   - publisher: Creates the publisher to subscribe to.
    ///   - release: Releases the resource.
    public init(
      releasesFirst: Bool = true, resource: @escaping () throws(Source.Failure) -> Resource,
      publisher: @escaping (Resource) -> Source, release: @escaping (Resource) -> Void
    ) {
      self.resource = resource
      self.publisher = publisher
      self.release = release
      self.releasesFirst = releasesFirst
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      OperatorCore.start("Using", for: subscriber) { core in
        do throws(Source.Failure) {
          if core.isOver { return }  // law C14: nothing is created for a cancelled subscriber
          let resource = try resource()
          let release = release
          let releasing = AnyCancellable { release(resource) }
          if releasesFirst { core.onEnd { releasing.cancel() } }
          let releasesLast = !releasesFirst
          if releasesLast { core.onCancel { releasing.cancel() } }
          if core.isOver { return }  // cancelled meanwhile: the resource is released already
          core.forward(publisher(resource)) { completion in
            core.finish(completion)
            if releasesLast { releasing.cancel() }
          }
        } catch {
          core.finish(.failure(error))
        }
      }
    }
  }
}
