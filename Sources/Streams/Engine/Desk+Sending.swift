// MARK: Inside the reception

extension Desk {
  /// Sends `value`, or keeps it until it is asked for.
  ///
  /// - Parameter link: What is asked for another value in place of this one, once this is sent.
  @inlinable @inline(__always)
  package func emit(_ value: Output, from link: DeskLink? = nil) {
    guard !isOver, ending == nil else { return }
    guard demand > .none, waiting.isEmpty, !isDraining else { return waiting.append((value, link)) }
    send(value)
    if let link { replace(link) }
    if !waiting.isEmpty { drain() }  // what came meanwhile may have room now
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
    guard !isOver, ending == nil, demand > .none, waiting.isEmpty, !isDraining else { return false }
    send(value)
    if !waiting.isEmpty { drain() }
    return true
  }

  /// Sends `value`, or keeps it if there is room for no more than `size` that wait, or does what `whenFull` says.
  @inlinable
  package func emit(
    _ value: Output, keeping size: Int, whenFull: Publishers.BufferingStrategy<Failure>
  ) {
    if demand > .none && waiting.isEmpty && !isDraining || waiting.count < size { return emit(value) }
    switch whenFull {
    case .dropNewest: break
    case .dropOldest:
      guard size > 0 else { return }
      let oldest = waiting.popFirst()
      emit(value)
      withExtendedLifetime(oldest) {}
    case .customError(let make): finish(.failure(make()), afterAll: true)
    }
  }

  /// Ends the stream: when all that waits is sent, or, if it fails and is not told to wait, at once.
  @usableFromInline
  package func finish(_ completion: Subscribers.Completion<Failure>, afterAll: Bool = false) {
    guard !isEnding else { return }
    if !afterAll, completion.isFailure { return end(completion) }
    guard !waiting.isEmpty || isDraining else { return end(completion) }
    ending = completion
    lead = nil
    for link in takeLinks() { link.cut() }
  }

  @usableFromInline
  func end(_ completion: Subscribers.Completion<Failure>) {
    if stop() { exit!.complete(completion) }
  }

  @inlinable @inline(__always)
  func send(_ value: Output) {
    if demand.isUnlimited {
      _ = exit!.deliver(value)
      return
    }
    demand -= 1
    let more = exit!.deliver(value)
    if more > .none {
      demand += more
      if !isOver { wasAsked() }
    }
  }

  @usableFromInline
  func drain() {
    guard !isDraining else { return }
    isDraining = true
    while demand > .none, !isOver, let (value, link) = waiting.popFirst() {
      send(value)
      if let link { replace(link) }
    }
    isDraining = false
    if let ending, waiting.isEmpty { end(ending) }
  }

  @inlinable @inline(__always)
  func replace(_ link: DeskLink) {
    if demand.isUnlimited { link.raise(to: .unlimited) } else { link.request(.max(1)) }
  }

  @usableFromInline
  func wasAsked() {
    askLead()
    onRequest?(self)
  }

  /// The demand that is left when all that waits is sent.
  @usableFromInline
  var spare: Subscribers.Demand {
    demand.max.map { .max(Swift.max(0, $0 - waiting.count)) } ?? .unlimited
  }

  /// Asks the lead for what downstream still wants.
  @inlinable @inline(__always)
  package func askLead() {
    guard let lead, lead.owed != .max else { return }
    lead.raise(to: waiting.isEmpty ? demand : spare)
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
    publisher.subscribe(
      DeskInlet<Upstream.Output, Upstream.Failure, Downstream>(self, link, take: take, ended: ended))
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

  /// Asks the children for everything, if downstream has.
  @usableFromInline
  package func openUpChildren() {
    guard demand.isUnlimited else { return }
    for link in lock.withLock({ links }) where link.isChild { link.raise(to: .unlimited) }
  }

  /// Cancels what `link` holds, and hears no more of it.
  @usableFromInline
  package func close(_ link: DeskLink) {
    strikeOff(link)
    if lead === link { lead = nil }
    link.cut()
  }

  /// Runs `step`, which brings the next upstream. One that ends at once, and so brings the next, does not deepen
  /// the stack (law R1).
  @usableFromInline
  package func move(_ step: @escaping () -> Void) {
    due = step
    guard !isMoving else { return }
    isMoving = true
    while !isOver, let next = due.take() { next() }
    isMoving = false
  }
}
