package import CTransport
import Foundation

/// One load on the loop's thread, across all hops of its redirects.
///
/// It is confined to that thread: libcurl calls it back there, and no other thread has a reference. No access happens
/// during another one, so exclusivity is not checked at run time.
package final class CurlExchange {
  package let pipe: BodyPipe
  @exclusivity(unchecked) package private(set) var chain: RedirectChain
  /// Whether the consumer has to be notified.
  @exclusivity(unchecked) package private(set) var isDirty = false
  /// Whether the deadline may have become earlier since the loop checked it.
  @exclusivity(unchecked) package var hasMoved = false
  @exclusivity(unchecked) package var priority: ImageRequest.Priority
  /// Whether it counts as running in its lane.
  @exclusivity(unchecked) package var holdsPlace = false
  /// Its place in the queue, for as long as it stays at the same origin.
  @exclusivity(unchecked) package var ticket: Int?
  /// The connection that the request was sent on.
  @exclusivity(unchecked) package private(set) var connection: CurlConnection?
  /// When the attempt to connect began.
  @exclusivity(unchecked) package private(set) var attemptBeganAt: MonotonicInstant

  /// A server that sends bodies in turns begins many of them before it is seen that the link is slow.
  private static let heldByteCount = 16 << 10

  private let addressPolicy: AddressPolicy
  private let events: LoopEvents
  @exclusivity(unchecked) private var transfer: OpaquePointer?
  @exclusivity(unchecked) private var stage = HopStage.waitingForConnection
  @exclusivity(unchecked) private var mayShare = false
  @exclusivity(unchecked) private var restartCount = 0
  @exclusivity(unchecked) private var startedAt: MonotonicInstant?
  @exclusivity(unchecked) private var timings = LoadTimings()
  @exclusivity(unchecked) private var queuedAt: MonotonicInstant
  @exclusivity(unchecked) private var hopBeganAt: MonotonicInstant
  @exclusivity(unchecked) private var sentAt: MonotonicInstant
  @exclusivity(unchecked) private var parser: HeadParser
  /// Known once the head is complete.
  @exclusivity(unchecked) private var announced: (byteCount: Int?, isContentCoded: Bool)?
  /// A head whose body has hardly begun. Until it is delivered, the request can wait in the queue again.
  @exclusivity(unchecked) private var heldHead: LoadedHead?
  @exclusivity(unchecked) private var location: String?
  @exclusivity(unchecked) private var received = 0
  @exclusivity(unchecked) private var bodyBeganAt: MonotonicInstant?
  @exclusivity(unchecked) private var addresses = (allowed: 0, refused: 0)
  /// The error for which a callback stopped the transfer.
  @exclusivity(unchecked) private var failure: DataLoadingError?
  /// Whether the connection had bytes that no request asked for. It is closed, and the load needs another one.
  @exclusivity(unchecked) private var foundUnread = false

  package init(_ chain: RedirectChain, _ pipe: BodyPipe, _ events: LoopEvents, _ addressPolicy: AddressPolicy)
  {
    self.chain = chain
    self.pipe = pipe
    self.events = events
    self.addressPolicy = addressPolicy
    priority = chain.request.priority
    parser = HeadParser(chain.limits)
    let now = MonotonicInstant.now
    (queuedAt, hopBeganAt, sentAt) = (now, now, now)
    attemptBeganAt = now
  }

  deinit { endHop() }

  /// Begins a hop. The session must outlive it.
  ///
  /// - Parameters:
  ///   - mayShare: Whether the hop may use a connection that other loads use.
  ///   - waits: Whether it waits for a connection that is being made.
  ///   - turn: How many loads of the origin run. Without any, there is no connection that it could wait for.
  package func begin(
    in session: OpaquePointer, with configuration: CurlLoader.Configuration, mayShare: Bool, waits: Bool,
    turn: Int, at now: MonotonicInstant
  ) throws(DataLoadingError) {
    self.mayShare = mayShare
    parser = HeadParser(chain.limits)
    (location, failure, foundUnread) = (nil, nil, false)
    addresses = (0, 0)
    startedAt = startedAt ?? now
    (hopBeganAt, sentAt, attemptBeganAt) = (now, now, now)
    timings.waiting = queuedAt.duration(to: now)
    enter(waits && turn > 0 ? .waitingForConnection : .connecting(since: now))
    transfer = chain.target.withCString { transport_transfer_make(session, $0, callbacks) }
    guard let transfer, chain.start(transfer, with: configuration, priority, waits: waits, turn: turn) else {
      throw .unavailable("no transfer")
    }
  }

  /// Returns whether to begin a failed hop again, and counts the retries: at most three.
  ///
  /// A server that closes a shared connection leaves requests without a response. They are sent again if they are
  /// idempotent. A handshake that breaks off is repeated for every request, because nothing was sent.
  package func restarts(after error: DataLoadingError) -> Bool {
    switch error {
    case .connectionLost(.firstByte, _) where mayShare && chain.method.isIdempotent: mayRestart()
    case .connectionLost(.connect, _): mayRestart()
    default: false
    }
  }

  /// The same after a time-out that is not the server's doing: the connection has served before, and now is silent for
  /// all its loads; or it served others for the whole time. The request waits in the queue again.
  package func restarts(after phase: DataLoadingError.Phase, amongOthers count: Int) -> Bool {
    guard mayShare, chain.method.isIdempotent, let connection else { return false }
    switch phase {
    case .firstByte where parser.status == 0 && connection.hasDelivered && count > 0: break
    // A server sends the heads of many responses before their bodies.
    case .idle where heldHead != nil && count > 0: break
    case .total where heldHead != nil && connection.deliveredAt > sentAt: break
    default: return false
    }
    guard mayRestart() else { return false }
    withdraw()
    return true
  }

  private func mayRestart() -> Bool {
    guard restartCount < 3, parser.status == 0 || heldHead != nil else { return false }
    restartCount += 1
    rewind()
    return true
  }

  /// Withdraws a hop whose head was not delivered, so that it waits in the queue again. The time does not count.
  package func withdraw() {
    endHop()
    rewind()
    if !chain.wasRedirected { startedAt = nil }
  }

  private func rewind() {
    parser = HeadParser(chain.limits)
    pipe.discard()
    (heldHead, announced, received, bodyBeganAt) = (nil, nil, 0, nil)
    stage = .waitingForConnection
  }

  /// Whether its response, or the body, waits while others are received on the same connection. It can be withdrawn.
  package func isStarving(at now: MonotonicInstant, after patience: Duration) -> Bool {
    guard mayShare, chain.method.isIdempotent, let connection else { return false }
    let since: MonotonicInstant
    switch stage {
    case .waitingForHead(let sentAt) where parser.status == 0: since = sentAt
    case .receiving(let receivedAt) where heldHead != nil: since = receivedAt
    default: return false
    }
    return connection.deliveredAt > since && since + patience <= now
  }

  /// Whether it waits for a connection that another load is making.
  package var isWaitingForConnection: Bool {
    if case .waitingForConnection = stage, transfer != nil { true } else { false }
  }

  /// Whether the request of the current hop was sent.
  package var isSent: Bool { stage.isSent }

  /// Closes the connection of the hop, unless its response is complete or other loads share the connection.
  package func endHop() {
    connection?.streamCount -= 1
    connection = nil
    transport_transfer_free(transfer)
    transfer = nil
  }

  /// Ends the hop, and returns the next step.
  package func hopEnded(_ outcome: transport_outcome) -> Step {
    let message =
      outcome == .done ? "" : transfer.map { String(cString: transport_transfer_message($0)) } ?? ""
    if let transfer, transport_transfer_was_flooded(transfer) {
      failure = failure ?? .protocolViolation("frames without a response kept the connection busy")
    }
    if foundUnread {
      endHop()
      return .again
    }
    releaseHead()
    let ended = EndedHop(
      chain: chain, message: message, socketError: transfer.map { transport_transfer_socket_error($0) } ?? 0,
      announced: announced.map(\.byteCount), received: received, isSent: isSent,
      isWaitingForHead: stage.isWaitingForHead, addresses: addresses)
    endHop()
    if let location {
      do throws(DataLoadingError) {
        chain = try chain.following(location, status: parser.status)
        queuedAt = .now
        timings.redirectCount += 1
        return .anotherHop
      } catch {
        return .failed(error)
      }
    }
    if let failure = failure ?? ended.error(for: outcome) { return .failed(failure) }
    return .done
  }

  private func enter(_ next: HopStage) {
    if !next.lasts(as: stage), !hasMoved {
      hasMoved = true
      events.add(moved: self)
    }
    stage = next
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
    guard let transfer, case .receiving = stage else { return }
    enter(.paused)
    transport_transfer_pause(transfer, true)
  }

  package func resume() {
    guard let transfer, case .paused = stage else { return }
    events.turnBegan = .now
    enter(.receiving(since: events.turnBegan))
    transport_transfer_pause(transfer, false)
  }

  /// When its time for the whole load ends. The time before its body begins does not count while the connection serves
  /// other loads, as if it waited in the queue; but no server can make it wait for ever.
  package var end: MonotonicInstant? {
    let timeout = chain.limits.totalTimeout
    guard mayShare, let startedAt, let connection else { return startedAt.map { $0 + timeout } }
    return min(startedAt + timeout * 4, max(startedAt, bodyBeganAt ?? connection.deliveredAt) + timeout)
  }

  /// The deadline of the current hop, and the phase that it ends.
  package var deadline: (at: MonotonicInstant, phase: DataLoadingError.Phase)? {
    guard transfer != nil, let end else { return nil }
    let total = (at: end, phase: DataLoadingError.Phase.total)
    let own: (at: MonotonicInstant, phase: DataLoadingError.Phase)
    switch stage {
    case .waitingForConnection: own = total
    case .connecting(let since): own = (since + chain.limits.connectTimeout, .connect)
    case .waitingForHead(let since): own = (deadline(from: since, chain.limits.firstByteTimeout), .firstByte)
    case .receiving(let since): own = (deadline(from: since, chain.limits.idleTimeout), .idle)
    case .paused: own = total
    }
    return own.at < total.at ? own : total
  }

  /// libcurl delivers a TLS record when it is complete, so over TLS what the connection has heard counts.
  private func deadline(from since: MonotonicInstant, _ timeout: Duration) -> MonotonicInstant {
    guard let connection, chain.origin.scheme == "https" else { return since + timeout }
    return connection.deadline(from: since, timeout)
  }

  private func releaseHead() {
    guard let head = heldHead else { return }
    heldHead = nil
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
      connection?.deliver(line.count, at: events.turnBegan)
      let wasComplete = parser.isComplete
      try parser.take(line)
      guard parser.isComplete, !wasComplete else { return true }
      let now = MonotonicInstant.now
      enter(.receiving(since: now))
      connection?.speaksHTTP2 = parser.version == "2"
      if mayShare { events.add(chain.origin, speaksHTTP2: parser.version == "2") }
      switch try ResponseAction(parser, for: chain) {
      case .follow(let location, let bodyByteCount):
        self.location = location
        // Reading a short body to its end allows the connection to be reused.
        return bodyByteCount.map { $0 <= 64 << 10 } ?? false
      case .deliver(var head):
        timings.untilHead = (startedAt ?? now).duration(to: now)
        timings.connecting = hopBeganAt.duration(to: sentAt)
        timings.answering = sentAt.duration(to: now)
        head.timings = timings
        announced = (head.expectedByteCount, head.isContentCoded)
        connection?.announce(head.expectedByteCount, after: sentAt.duration(to: now))
        pipe.expect(head.expectedByteCount)
        heldHead = head
        if !mayShare { releaseHead() }
        return true
      }
    }
  }

  private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    attempt { () throws(DataLoadingError) in
      // libcurl delivers one read in several pieces, and does not stop between them when it is paused.
      if case .receiving = stage { enter(.receiving(since: events.turnBegan)) }
      connection?.deliver(bytes.count, at: events.turnBegan)
      guard location == nil else { return true }
      let limit = chain.limits.maximumByteCount
      guard bytes.count <= limit - received else { throw .tooLarge(limit: limit, announced: nil) }
      if received == 0 { bodyBeganAt = events.turnBegan }
      received += bytes.count
      if let announced = announced?.byteCount, received > announced {
        throw .longerThanAnnounced(byteCount: announced)
      }
      try checkExpansion()
      if heldHead == nil { markDirty() } else if received >= Self.heldByteCount { releaseHead() }
      guard let room = pipe.append(bytes) else { return false }
      // Pauses at once, because libcurl would read on otherwise. Not while it decompresses: it must deliver everything
      // that one read expands to, and libcurl 7.88 does not resume from a pause in between.
      if room == .none, announced?.isContentCoded != true { pause() }
      return true
    }
  }

  /// The count of received bytes may lag behind by one read, so 16 KiB more are allowed.
  private func checkExpansion() throws(DataLoadingError) {
    guard announced?.isContentCoded == true, chain.request.allowsContentCoding, received > 1 << 20,
      let transfer
    else { return }
    let (wire, ratio) = (Int(transport_transfer_wire_bytes(transfer)), chain.limits.maximumExpansionRatio)
    let (allowed, overflows) = (wire + (16 << 10)).multipliedReportingOverflow(by: ratio)
    guard overflows || received <= allowed else { throw .expandsTooMuch(ratio: ratio) }
  }

  private func willSend(on number: Int64, hasUnread: Bool) -> Bool {
    // libcurl would send it a second time. The server may have received it before the connection broke.
    guard !isSent || chain.method.isIdempotent else {
      failure = .connectionLost(.firstByte, reason: "\(chain.method.rawValue) must not be sent twice")
      return false
    }
    let next = events.connection(number, to: chain.origin)
    // They would be taken for the response (RFC 9112 section 9.2). Over HTTP/2, each frame belongs to a stream.
    guard !hasUnread || next.map({ $0.speaksHTTP2 || $0.streamCount > 0 }) ?? false else {
      foundUnread = true
      return false
    }
    sentAt = .now
    connection?.streamCount -= 1
    connection = next
    connection?.streamCount += 1
    events.add(reached: chain.origin)
    enter(.waitingForHead(since: sentAt))
    return true
  }

  private func mayConnect(to bytes: [UInt8], port: UInt16) -> Bool {
    guard let address = NetworkAddress(bytes: bytes, port: port), addressPolicy.allows(address)
    else {
      addresses.refused += 1
      return false
    }
    addresses.allowed += 1
    if case .waitingForConnection = stage {
      attemptBeganAt = .now
      enter(.connecting(since: attemptBeganAt))
    }
    if mayShare { events.add(connectingTo: chain.origin) }
    return true
  }

  private func attempt(_ step: () throws(DataLoadingError) -> Bool) -> Bool {
    do throws(DataLoadingError) {
      return try step()
    } catch {
      failure = error
      return false
    }
  }
}
