// MARK: Inside the reception

extension Desk {
  /// Sends `value`, or keeps it until it is asked for.
  ///
  /// - Parameter link: What is asked for another value in place of this one, once this is sent.
  @inlinable @inline(__always)
  package func emit(_ value: Output, from link: DeskLink? = nil) {
    guard !isOver, !hasEnding else { return }
    guard demand > .none, waitingCount == 0, !isDraining else { return wait(value, link) }
    send(value)
    if let link { replace(link) }
    if waitingCount > 0 { drain() }  // what came meanwhile may have room now
  }

  @inlinable
  func wait(_ value: Output, _ link: DeskLink?) {
    contents.pointee.waiting.append((value, link))
    waitingCount += 1
  }

  /// Sends `value`, or keeps it: for who is not inside the reception.
  @inlinable
  package func bring(_ value: Output) {
    switch reception.enter() {
    case .entered:
      emit(value)
      serve()
    case .nested: emit(value)
    case .busy: run { self.emit(value) }
    }
  }

  /// Sends `value` if it was asked for. False if not: then it is lost.
  @inlinable @inline(__always) @discardableResult
  package func offer(_ value: Output) -> Bool {
    guard !isOver, !hasEnding, demand > .none, waitingCount == 0, !isDraining else { return false }
    send(value)
    if waitingCount > 0 { drain() }
    return true
  }

  /// Sends `value`, or keeps it if there is room for no more than `size` that wait, or does what `whenFull` says.
  @inlinable
  package func emit(
    _ value: Output, keeping size: Int, whenFull: Publishers.BufferingStrategy<Failure>
  ) {
    if isEnding { return }
    if demand > .none && waitingCount == 0 && !isDraining || waitingCount < size { return emit(value) }
    switch whenFull {
    case .dropNewest: break
    case .dropOldest:
      guard size > 0, let oldest = next() else { return }
      emit(value)
      withExtendedLifetime(oldest) {}
    case .customError(let make): finish(.failure(make()), afterAll: true)
    }
  }

  /// Ends the stream: when all that waits is sent, or, if it fails and is not told to wait, at once.
  @inlinable
  package func finish(_ completion: Subscribers.Completion<Failure>, afterAll: Bool = false) {
    guard !isEnding else { return }
    if !afterAll, completion.isFailure { return end(completion) }
    guard waitingCount > 0 || isDraining else { return end(completion) }
    contents.pointee.ending = completion
    hasEnding = true
    lead = nil
    for link in takeLinks() { link.cut() }
  }

  @inlinable
  func end(_ completion: Subscribers.Completion<Failure>) {
    if stop() { contents.pointee.exit.complete(completion) }
  }

  @inlinable @inline(__always)
  func send(_ value: Output) {
    if demand.isUnlimited {
      _ = contents.pointee.exit.deliver(value)
      return
    }
    demand -= 1
    let more = contents.pointee.exit.deliver(value)
    if more > .none {
      demand += more
      if !isOver { wasAsked() }
    }
  }

  @inlinable
  func next() -> (Output, DeskLink?)? {
    guard waitingCount > 0 else { return nil }
    waitingCount -= 1
    return contents.pointee.waiting.popFirst()
  }

  @inlinable
  func drain() {
    guard !isDraining else { return }
    isDraining = true
    while demand > .none, !isOver, let (value, link) = next() {
      send(value)
      if let link { replace(link) }
    }
    isDraining = false
    if hasEnding, waitingCount == 0, !isOver, let ending = contents.pointee.ending { end(ending) }
  }

  @inlinable @inline(__always)
  func replace(_ link: DeskLink) {
    if demand.isUnlimited { link.raise(to: .unlimited) } else { link.request(.max(1)) }
  }

  // MARK: Upstreams

  /// Subscribes to `publisher`, unless the stream is over.
  ///
  /// - Parameters:
  ///   - link: The hold on it. What it is asked for before it has arrived waits for that.
  ///   - take: Told of each value that was asked for.
  ///   - ended: Told of its end, unless it was cut off.
  @inlinable
  package func open<Upstream: Publisher>(
    _ publisher: Upstream, _ link: DeskLink, take: @escaping (Upstream.Output) -> Void,
    ended: @escaping (Subscribers.Completion<Upstream.Failure>) -> Void
  ) {
    guard enrol(link) else { return }
    publisher.subscribe(DeskInlet<Upstream.Output, Upstream.Failure>(self, link, take: take, ended: ended))
  }

  /// Subscribes to `publisher` as the lead.
  @inlinable
  package func follow<Upstream: Publisher>(
    _ publisher: Upstream, _ link: DeskLink = DeskLink(), take: @escaping (Upstream.Output) -> Void,
    ended: @escaping (Subscribers.Completion<Upstream.Failure>) -> Void
  ) {
    lead = link
    askLead()
    open(publisher, link, take: take, ended: ended)
  }
}
