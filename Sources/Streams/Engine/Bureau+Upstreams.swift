internal import Synchronization

extension Bureau {
  // MARK: Upstreams

  @usableFromInline
  final func enrol(_ link: DeskLink) -> Bool {
    lock.withLock {
      guard !over.load(ordering: .relaxed), !hasEnding else { return false }
      link.place = links.count
      links.append(link)
      return true
    }
  }

  @usableFromInline
  final func strikeOff(_ link: DeskLink) {
    lock.withLock {
      guard let place = link.place else { return }
      link.place = nil
      let last = links.removeLast()
      if last !== link {
        links[place] = last
        last.place = place
      }
    }
  }

  @usableFromInline
  final func takeLinks() -> ContiguousArray<DeskLink> {
    lock.withLock { () -> ContiguousArray<DeskLink> in
      defer { links = [] }
      for link in links { link.place = nil }
      return links
    }
  }

  /// Asks the children for everything, if downstream has.
  @usableFromInline
  package final func openUpChildren() {
    guard demand.isUnlimited else { return }
    for link in lock.withLock({ links }) where link.isChild { link.raise(to: .unlimited) }
  }

  /// Cancels what `link` holds, and hears no more of it.
  @usableFromInline
  package final func close(_ link: DeskLink) {
    strikeOff(link)
    if lead === link { lead = nil }
    link.cut()
  }

  /// What `link` holds has ended. True if that is to be told.
  @usableFromInline
  final func hasEnded(_ link: DeskLink) -> Bool {
    if isOver { return false }
    strikeOff(link)
    if lead === link { lead = nil }
    return !link.isCut && !isEnding
  }

  /// Runs `step`, which brings the next upstream. One that ends at once, and so brings the next, does not deepen
  /// the stack (law R1).
  @usableFromInline
  package final func move(_ step: @escaping () -> Void) {
    due = step
    guard !isMoving else { return }
    isMoving = true
    while !isOver, let next = due.take() { next() }
    isMoving = false
  }

  // MARK: What must be let go of

  /// Cancels `belonging` when the stream is over, however it ends; now, if it is.
  @usableFromInline
  package final func keep(_ belonging: any Cancellable) {
    let isKept = lock.withLock { () -> Bool in
      if over.load(ordering: .relaxed) { return false }
      belongings.append(belonging)
      return true
    }
    if !isKept { belonging.cancel() }
  }

  /// Cancels `mourner` if the stream is cancelled; not if it ends.
  @usableFromInline
  package final func keepOnCancel(_ mourner: any Cancellable) {
    let isKept = lock.withLock { () -> Bool in
      if over.load(ordering: .relaxed) { return false }
      mourners.append(mourner)
      return true
    }
    if !isKept { mourner.cancel() }
  }

  @usableFromInline
  final func takeMourners() -> [any Cancellable] {
    lock.withLock { () -> [any Cancellable] in
      defer { mourners = [] }
      return mourners
    }
  }

  /// Ends everything that goes on upstream. True for the first caller.
  @usableFromInline
  final func stop() -> Bool {
    guard !over.exchange(true, ordering: .acquiringAndReleasing) else { return false }
    for link in takeLinks() { link.upstream.cancel() }
    let rest = lock.withLock { () -> [any Cancellable] in
      defer { belongings = [] }
      return belongings
    }
    for belonging in rest { belonging.cancel() }
    return true
  }
}
