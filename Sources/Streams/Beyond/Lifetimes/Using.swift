extension MorePublishers {
  /// A publisher that makes a resource for each subscription, and releases it when that is over.
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
  /// The resource is released exactly once: at the end, or when the subscription is cancelled. If it cannot be made, the
  /// stream fails.
  public struct Using<Resource, Source: Publisher>: Publisher {
    public typealias Output = Source.Output
    public typealias Failure = Source.Failure

    @usableFromInline let resource: () throws(Source.Failure) -> Resource
    @usableFromInline let publisher: (Resource) -> Source
    @usableFromInline let release: (Resource) -> Void
    @usableFromInline let releasesFirst: Bool

    /// A publisher that makes a resource for each subscription, and releases it once.
    ///
    /// - Parameters:
    ///   - releasesFirst: Whether the resource is released before downstream hears of the end, or after.
    ///   - resource: Makes the resource, when somebody subscribes, on its thread.
    ///   - publisher: Makes the publisher that is subscribed to.
    ///   - release: Called on the thread that ends or cancels.
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
      Desk.start("Using", for: subscriber) { desk in
        do throws(Source.Failure) {
          if desk.isOver { return }  // law C14: nothing is made for who is gone
          let resource = try resource()
          let release = release
          let releasing = AnyCancellable { release(resource) }
          let holder = Departing { releasing.cancel() }
          if releasesFirst { desk.keep(holder) }
          let releasesLast = !releasesFirst
          if releasesLast { desk.keepOnCancel(holder) }
          desk.follow(publisher(resource)) {
            desk.emit($0)
          } ended: { completion in
            desk.finish(completion)
            if releasesLast { releasing.cancel() }
          }
        } catch {
          desk.finish(.failure(error))
        }
      }
    }
  }
}
