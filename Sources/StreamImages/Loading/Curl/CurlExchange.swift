package import CTransport
import Foundation

/// One load on the loop's thread, across all hops of its redirects.
///
/// It is confined to that thread: libcurl calls it back there, and no other thread has a reference. No access happens
/// during another one, so exclusivity is not checked at run time.
package final class CurlExchange {
  package let pipe: BodyPipe
  private let addressPolicy: AddressPolicy
  private let events: LoopEvents

  // For the session.
  @exclusivity(unchecked) package var priority: ImageRequest.Priority
  /// Whether it counts as running at its origin.
  @exclusivity(unchecked) package var holdsPlace = false
  /// Its place in the queue, for as long as it stays at the same origin.
  @exclusivity(unchecked) package var ticket: Int?
  /// Whether the consumer has to be notified.
  @exclusivity(unchecked) package private(set) var isDirty = false
  /// Whether the deadline may have become earlier since the loop checked it.
  @exclusivity(unchecked) package var hasMoved = false

  @exclusivity(unchecked) package private(set) var chain: RedirectChain
  @exclusivity(unchecked) private var transfer: OpaquePointer?
  /// The connection that the request was sent on.
  @exclusivity(unchecked) package private(set) var connection: CurlConnection?
  @exclusivity(unchecked) package private(set) var hop: Hop
  @exclusivity(unchecked) private var restartCount = 0
  @exclusivity(unchecked) private var queuedAt: MonotonicInstant
  @exclusivity(unchecked) private var startedAt: MonotonicInstant?

  /// A server that sends bodies in turns begins many of them before the first is complete.
  private static let heldByteCount = 16 << 10

  package init(_ chain: RedirectChain, _ pipe: BodyPipe, _ events: LoopEvents, _ addressPolicy: AddressPolicy)
  {
    self.chain = chain
    self.pipe = pipe
    self.events = events
    self.addressPolicy = addressPolicy
    priority = chain.request.priority
    queuedAt = .now
    hop = Hop(chain.limits, at: queuedAt)
  }

  deinit { endHop() }

  /// Begins a hop. The session must outlive it. It waits for a connection that is being made if it `waits`, and if as many
  /// loads of the origin run as `turn` counts: without any, there is none.
  package func begin(
    in session: OpaquePointer, with configuration: CurlLoader.Configuration, mayShare: Bool, waits: Bool,
    turn: Int, at now: MonotonicInstant
  ) throws(DataLoadingError) {
    hop = Hop(chain.limits, at: now)
    hop.mayShare = mayShare
    if waits && turn > 0 { enter(.waitingForConnection) } else { connect(at: now) }
    transfer = chain.target.withCString { transport_transfer_make(session, $0, callbacks) }
    guard let transfer, chain.start(transfer, with: configuration, priority, waits: waits, turn: turn) else {
      throw .unavailable("no transfer")
    }
  }

  private func connect(at now: MonotonicInstant) {
    hop.attemptBeganAt = now
    startedAt = startedAt ?? now
    enter(.connecting(since: now))
  }

  /// Returns whether to begin a failed hop again, and counts the retries: at most three.
  ///
  /// A server that closes a shared connection leaves requests without a response. They are sent again if they are
  /// idempotent. A head that is too large for libcurl ends its connection as well, and any load on it may see that first. A
  /// handshake that breaks off is repeated for every request, because nothing was sent. So is a time-out that is not the
  /// server's doing: the connection has served before, and now is silent for all its loads.
  ///
  /// - Parameter count: How many other loads have had nothing from the connection either.
  package func restarts(after error: DataLoadingError, amongOthers count: Int = 0) -> Bool {
    let isHeld = hop.heldHead != nil
    let mayRepeat =
      switch error {
      case .connectionLost(.connect, _): true
      case _ where !hop.mayShare || !chain.method.isIdempotent: false
      case .connectionLost(.firstByte, _): true
      case .headTooLarge: hop.hadOthers
      // A server gives up a response of which it could send nothing for a while, because it sent others: nginx after a minute.
      case .truncated: isHeld && hop.parser.version == "2"
      case .timedOut(.firstByte): count > 0 && hop.parser.status == 0 && connection?.hasDelivered == true
      // A server sends the heads of many responses before their bodies.
      case .timedOut(.idle): count > 0 && isHeld
      default: false
      }
    guard mayRepeat, restartCount < 3, hop.parser.status == 0 || isHeld else { return false }
    restartCount += 1
    pipe.discard()
    return true
  }

  /// Withdraws a hop whose head was not delivered, so that it waits in the queue again. The time does not count.
  package func withdraw() {
    endHop()
    if !chain.wasRedirected { startedAt = nil }
  }

  /// Closes the connection of the hop, unless its response is complete or other loads share the connection.
  package func endHop() {
    connection?.streamCount -= 1
    connection = nil
    transport_transfer_free(transfer)
    transfer = nil
    hop.stage = .queued
  }

  /// Ends the hop. Returns whether the load has ended, or needs a hop that has to be queued and begun: the same if nothing
  /// was sent, or that of an accepted redirect.
  package func hopEnded(_ outcome: transport_outcome) -> (isOver: Bool, error: DataLoadingError?) {
    let failure = transfer.map { transport_transfer_failure($0) }
    if failure?.was_flooded == true, hop.verdict == nil {
      hop.verdict = .fail(.protocolViolation("frames without a response kept the connection busy"))
    }
    let message = outcome == .done ? "" : failure.map { String(cString: $0.message) } ?? ""
    let error = hop.error(for: outcome, of: chain, message, socketError: failure?.socket_error ?? 0)
    hop.hadOthers = connection.map { $0.streamCount > 1 } ?? false
    endHop()
    switch hop.verdict {
    case .connectAgain: return (false, nil)
    case .fail(let error): return (true, error)
    case .follow(let location):
      do throws(DataLoadingError) {
        chain = try chain.following(location, status: hop.parser.status)
        (queuedAt, ticket) = (.now, nil)
        return (false, nil)
      } catch {
        return (true, error)
      }
    case nil: return (true, error)
    }
  }

  private func enter(_ next: Hop.Stage) {
    // Further bytes only move the deadline away.
    if case (.receiving, .receiving) = (hop.stage, next) {
    } else if !hasMoved {
      hasMoved = true
      events.add(moved: self)
    }
    hop.stage = next
  }

  private func markDirty() {
    if !isDirty { events.add(dirty: self) }
    isDirty = true
  }

  /// Notifies the consumer, and pauses the transfer if the buffer is full.
  ///
  /// Repeats if resuming delivers bytes at once: libcurl hands over what it buffered during a pause, and if that fills
  /// the buffer, no socket event would wake the loop for it.
  package func flush() {
    repeat {
      isDirty = false
      if pipe.flush() == .none { pause() } else { resume() }
    } while isDirty
  }

  private func pause() {
    guard let transfer, case .receiving = hop.stage else { return }
    enter(.paused)
    transport_transfer_pause(transfer, true)
  }

  package func resume() {
    guard let transfer, case .paused = hop.stage else { return }
    events.turnBegan = .now
    enter(.receiving(since: events.turnBegan))
    transport_transfer_pause(transfer, false)
  }

  /// When its time for the whole load ends. The time before its body begins does not count while the connection serves
  /// other loads, as if it waited in the queue; but no server can make it wait for ever.
  package var end: MonotonicInstant? {
    let timeout = chain.limits.totalTimeout
    guard let startedAt else { return hop.isWaitingForConnection ? hop.beganAt + timeout * 4 : nil }
    guard hop.mayShare, let connection else { return startedAt + timeout }
    return min(startedAt + timeout * 4, max(startedAt, hop.bodyBeganAt ?? connection.deliveredAt) + timeout)
  }

  /// The deadline of the current hop, and the phase that it ends.
  package var deadline: (at: MonotonicInstant, phase: DataLoadingError.Phase)? {
    guard let end else { return nil }
    let limits = chain.limits
    let own: (at: MonotonicInstant, phase: DataLoadingError.Phase)
    switch hop.stage {
    case .queued: return nil
    case .waitingForConnection, .paused: own = (end, .total)
    case .connecting(let since): own = (since + limits.connectTimeout, .connect)
    case .waitingForHead(let since): own = (deadline(from: since, limits.firstByteTimeout), .firstByte)
    case .receiving(let since): own = (deadline(from: since, limits.idleTimeout), .idle)
    // Where to go is known. More time costs more than another connection.
    case .discarding(let since): own = (since + min(limits.idleTimeout, .seconds(1)), .idle)
    }
    return own.at < end ? own : (end, .total)
  }

  /// libcurl delivers a TLS record when it is complete, so over TLS what the connection has heard counts.
  private func deadline(from since: MonotonicInstant, _ timeout: Duration) -> MonotonicInstant {
    guard let connection, chain.origin.scheme == "https" else { return since + timeout }
    return connection.deadline(from: since, timeout)
  }

  /// Delivers a head that is held.
  package func releaseHead() {
    guard let head = hop.heldHead else { return }
    hop.heldHead = nil
    markDirty()
    pipe.deliver(head)
  }
}

// MARK: Callbacks of libcurl

extension CurlExchange {
  package var callbacks: transport_callbacks {
    transport_callbacks(
      context: Unmanaged.passUnretained(self).toOpaque(),
      head_line: { context, start, count in
        CurlExchange.with(context) { $0.takeHeadLine(UnsafeRawBufferPointer(start: start, count: count)) }
      },
      body: { context, start, count in
        CurlExchange.with(context) { $0.takeBody(UnsafeRawBufferPointer(start: start, count: count)) }
      },
      may_connect: { context, address, count, port in
        let bytes = Array(UnsafeBufferPointer(start: address, count: count))
        return CurlExchange.with(context) { $0.mayConnect(to: bytes, port: port) }
      },
      will_send: { context, connection, hasUnread in
        CurlExchange.with(context) { $0.willSend(on: connection, hasUnread: hasUnread) }
      })
  }

  /// The exchange behind the context pointer. It lives as long as its transfer.
  static func at(_ context: UnsafeMutableRawPointer?) -> CurlExchange {
    Unmanaged<CurlExchange>.fromOpaque(context!).takeUnretainedValue()
  }

  /// The same during a callback, without reference counting.
  private static func with<Answer>(
    _ context: UnsafeMutableRawPointer?, _ body: (CurlExchange) -> Answer
  ) -> Answer {
    Unmanaged<CurlExchange>.fromOpaque(context!)._withUnsafeGuaranteedRef(body)
  }

  private func takeHeadLine(_ line: UnsafeRawBufferPointer) -> Bool {
    attempt { () throws(DataLoadingError) in
      connection?.deliver(at: events.turnBegan)
      let wasComplete = hop.parser.isComplete
      try hop.parser.take(line)
      guard hop.parser.isComplete, !wasComplete else { return true }
      let now = MonotonicInstant.now
      enter(.receiving(since: now))
      let isHTTP2 = hop.parser.version == "2"
      if hop.mayShare { events.add(chain.origin, speaksHTTP2: isHTTP2) }
      switch try ResponseAction(hop.parser, for: chain) {
      case .follow(let location, let bodyByteCount):
        hop.verdict = .follow(location: location)
        enter(.discarding(since: now))
        // Reading a short body to its end allows the connection to be reused.
        return bodyByteCount.map { $0 <= 64 << 10 } ?? false
      case .deliver(var head):
        head.timings = timings(until: now)
        hop.announced = (head.expectedByteCount, head.isContentCoded)
        pipe.expect(head.expectedByteCount)
        hop.heldHead = head
        if !hop.mayShare { releaseHead() }
        return true
      }
    }
  }

  private func timings(until now: MonotonicInstant) -> LoadTimings {
    var timings = LoadTimings()
    timings.waiting = queuedAt.duration(to: hop.beganAt)
    timings.untilHead = (startedAt ?? now).duration(to: now)
    timings.connecting = hop.beganAt.duration(to: hop.sentAt)
    timings.answering = hop.sentAt.duration(to: now)
    timings.redirectCount = chain.redirectCount
    return timings
  }

  private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    attempt { () throws(DataLoadingError) in
      connection?.deliver(at: events.turnBegan)
      if hop.isDiscarding { return true }
      // libcurl delivers one read in several pieces, and does not stop between them when it is paused.
      if case .receiving = hop.stage { enter(.receiving(since: events.turnBegan)) }
      let limit = chain.limits.maximumByteCount
      guard bytes.count <= limit - hop.received else { throw .tooLarge(limit: limit, announced: nil) }
      if hop.received == 0 { hop.bodyBeganAt = events.turnBegan }
      hop.received += bytes.count
      if let announced = hop.announced?.byteCount, hop.received > announced {
        throw .longerThanAnnounced(byteCount: announced)
      }
      try checkExpansion()
      if hop.heldHead == nil { markDirty() } else if hop.received >= Self.heldByteCount { releaseHead() }
      guard let room = pipe.append(bytes) else { return false }
      // Pauses at once, because libcurl would read on otherwise. Not while it decompresses: it must deliver everything
      // that one read expands to, and libcurl 7.88 does not resume from a pause in between.
      if room == .none, hop.announced?.isContentCoded != true { pause() }
      return true
    }
  }

  /// The count of received bytes may lag behind by one read, so 16 KiB more are allowed.
  private func checkExpansion() throws(DataLoadingError) {
    guard hop.announced?.isContentCoded == true, chain.request.allowsContentCoding, hop.received > 1 << 20,
      let transfer
    else { return }
    let (wire, ratio) = (Int(transport_transfer_wire_bytes(transfer)), chain.limits.maximumExpansionRatio)
    let (allowed, overflows) = (wire + (16 << 10)).multipliedReportingOverflow(by: ratio)
    guard overflows || hop.received <= allowed else { throw .expandsTooMuch(ratio: ratio) }
  }

  private func willSend(on number: Int64, hasUnread: Bool) -> transport_sending {
    // libcurl would send it a second time. The server may have received it before the connection broke.
    guard !hop.isSent || chain.method.isIdempotent else {
      hop.verdict = .fail(
        .connectionLost(.firstByte, reason: "\(chain.method.rawValue) must not be sent twice"))
      return .stop
    }
    let next = events.connection(number)
    // No request waits for them, so they would be taken for the response (RFC 9112 section 9.2). Over HTTP/2, they may name
    // the stream that would be the next.
    if hasUnread, (next?.streamCount ?? 0) == 0 {
      hop.verdict = .connectAgain
      return .close
    }
    hop.sentAt = .now
    startedAt = startedAt ?? hop.sentAt
    connection?.streamCount -= 1
    connection = next
    connection?.streamCount += 1
    events.add(chain.origin)
    enter(.waitingForHead(since: hop.sentAt))
    return .go
  }

  private func mayConnect(to bytes: [UInt8], port: UInt16) -> Bool {
    guard let address = NetworkAddress(bytes: bytes, port: port), addressPolicy.allows(address)
    else {
      hop.addresses.refused += 1
      return false
    }
    hop.addresses.allowed += 1
    if hop.isWaitingForConnection { connect(at: .now) }
    return true
  }

  private func attempt(_ step: () throws(DataLoadingError) -> Bool) -> Bool {
    do throws(DataLoadingError) {
      return try step()
    } catch {
      hop.verdict = .fail(error)
      return false
    }
  }
}
