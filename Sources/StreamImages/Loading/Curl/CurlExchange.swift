import CTransport
import Foundation

/// One load as the thread of the loop sees it, from hop to hop.
///
/// Belongs to that thread: libcurl calls it back there, and nobody else has a reference. So nobody else comes between two
/// accesses, and nothing that is called during one comes back here: the compiler need not ask each time.
final class CurlExchange {
  private enum Stage {
    /// For a connection that others are making, or for room in one.
    case waitingForConnection
    case connecting(since: Moment)
    case waitingForHead(since: Moment)
    case receiving(since: Moment)
    case paused

    /// Bytes that follow bytes move the deadline away only.
    func lasts(as other: Stage) -> Bool {
      if case (.receiving, .receiving) = (self, other) { true } else { false }
    }
  }

  enum Step {
    case done
    case failed(DataLoadingError)
    /// A redirect was followed; the next hop may be waited for and begun.
    case anotherHop
  }

  let pipe: BodyPipe
  @exclusivity(unchecked) private(set) var journey: Journey
  /// Whether something happened that the consumer should see.
  @exclusivity(unchecked) private(set) var isDirty = false
  /// Whether its deadline may have come nearer since the loop looked.
  @exclusivity(unchecked) var hasMoved = false
  /// Whether it was let out of the line, and counts as running in the lane it is in.
  @exclusivity(unchecked) var holdsPlace = false
  /// Its place in the line, as long as it is at the same origin.
  @exclusivity(unchecked) var ticket: Int?

  private let addressPolicy: AddressPolicy
  /// No circle: it forgets what it has told.
  private let news: LoopNews
  @exclusivity(unchecked) private var transfer: OpaquePointer?
  @exclusivity(unchecked) private var stage = Stage.waitingForConnection
  @exclusivity(unchecked) private var mayShare = false
  @exclusivity(unchecked) private var restartCount = 0
  @exclusivity(unchecked) private var startedAt: Moment?
  @exclusivity(unchecked) private var timings = LoadTimings()
  @exclusivity(unchecked) private var queuedAt: Moment
  @exclusivity(unchecked) private var hopBeganAt: Moment
  @exclusivity(unchecked) private var sentAt: Moment
  @exclusivity(unchecked) private var parser: HeadParser
  /// Of the head, once it is known.
  @exclusivity(unchecked) private var announced: (byteCount: Int?, isContentCoded: Bool)?
  @exclusivity(unchecked) private var location: String?
  @exclusivity(unchecked) private var received = 0
  @exclusivity(unchecked) private var addresses = (allowed: 0, refused: 0)
  /// Why a callback stopped the transfer.
  @exclusivity(unchecked) private var failure: DataLoadingError?

  init(_ journey: Journey, _ pipe: BodyPipe, _ news: LoopNews, _ addressPolicy: AddressPolicy) {
    self.journey = journey
    self.pipe = pipe
    self.news = news
    self.addressPolicy = addressPolicy
    parser = HeadParser(journey.limits)
    let now = Moment.now
    (queuedAt, hopBeganAt, sentAt) = (now, now, now)
  }

  deinit { endHop() }

  /// Begins a hop. The session must outlive it.
  ///
  /// - Parameters:
  ///   - mayShare: Whether its connection may be one that others use.
  ///   - waits: Whether it waits for one that is being made.
  ///   - isFirst: Whether nobody has one, or makes one, that it could wait for.
  func begin(
    in session: OpaquePointer, with configuration: CurlLoader.Configuration, mayShare: Bool, waits: Bool,
    isFirst: Bool, at now: Moment
  ) throws(DataLoadingError) {
    self.mayShare = mayShare
    if journey.wasRedirected { parser = HeadParser(journey.limits) }
    (location, failure) = (nil, nil)
    addresses = (0, 0)
    startedAt = startedAt ?? now
    (hopBeganAt, sentAt) = (now, now)
    timings.waiting = queuedAt.duration(to: now)
    enter(waits && !isFirst ? .waitingForConnection : .connecting(since: now))
    transfer = journey.target.withCString { transport_transfer_make(session, $0, callbacks) }
    guard let transfer, journey.start(transfer, with: configuration, waits: waits) else {
      throw .unavailable("no transfer")
    }
  }

  /// Whether a hop that failed is to be begun again, and counts that: a server that closes a shared connection leaves requests
  /// without an answer. Three times, and only if nothing was answered and asking twice is the same as once.
  func restarts(after error: DataLoadingError) -> Bool {
    guard mayShare, restartCount < 3, journey.method.isIdempotent, parser.status == 0,
      case .connectionLost(.firstByte, _) = error
    else { return false }
    restartCount += 1
    return true
  }

  /// Gives up a hop that has not been sent, to wait in line again, which does not count as time that it takes.
  func withdraw() {
    endHop()
    if !journey.wasRedirected { startedAt = nil }
  }

  /// Whether it waits for what others are making.
  var isWaitingForConnection: Bool {
    if case .waitingForConnection = stage, transfer != nil { true } else { false }
  }

  /// Whether the request of its last hop has gone out.
  var isSent: Bool {
    switch stage {
    case .waitingForConnection, .connecting: false
    case .waitingForHead, .receiving, .paused: true
    }
  }

  /// Closes the connection of the hop unless its answer is complete, or others share it.
  func endHop() {
    transport_transfer_free(transfer)
    transfer = nil
  }

  /// What the end of a hop means. Ends the hop.
  func hopEnded(_ outcome: transport_outcome) -> Step {
    let message =
      outcome == .done ? "" : transfer.map { String(cString: transport_transfer_message($0)) } ?? ""
    endHop()
    if let location {
      do throws(DataLoadingError) {
        journey = try journey.following(location, status: parser.status)
        queuedAt = .now
        timings.redirectCount += 1
        return .anotherHop
      } catch {
        return .failed(error)
      }
    }
    if let failure = failure ?? error(for: outcome, message: message) { return .failed(failure) }
    return .done
  }

  private func enter(_ next: Stage) {
    if !next.lasts(as: stage), !hasMoved {
      hasMoved = true
      news.add(moved: self)
    }
    stage = next
  }

  private func soil() {
    if !isDirty { news.add(dirty: self) }
    isDirty = true
  }

  /// Passes on what came, and pauses the transfer if it is too much for the consumer.
  ///
  /// Again for what going on brings at once: libcurl hands over what it kept during a pause, and if that fills the
  /// buffer, no socket will ever wake the loop for it.
  func flush() {
    repeat {
      isDirty = false
      if pipe.flush() == .none { pause() } else { goOn() }
    } while isDirty
  }

  private func pause() {
    guard let transfer, case .receiving = stage else { return }
    enter(.paused)
    transport_transfer_pause(transfer, true)
  }

  func goOn() {
    guard let transfer, case .paused = stage else { return }
    news.turnBegan = .now
    enter(.receiving(since: news.turnBegan))
    transport_transfer_pause(transfer, false)
  }

  /// When the hop in progress has to be given up, and what for.
  var deadline: (at: Moment, phase: DataLoadingError.Phase)? {
    guard transfer != nil, let startedAt else { return nil }
    let total = (at: startedAt + journey.limits.totalTimeout, phase: DataLoadingError.Phase.total)
    let own: (at: Moment, phase: DataLoadingError.Phase)
    switch stage {
    case .waitingForConnection: own = total
    case .connecting(let since): own = (since + journey.limits.connectTimeout, .connect)
    case .waitingForHead(let since): own = (since + journey.limits.firstByteTimeout, .firstByte)
    case .receiving(let since): own = (since + journey.limits.idleTimeout, .idle)
    case .paused: own = total
    }
    return own.at < total.at ? own : total
  }
}

// MARK: What libcurl reports

extension CurlExchange {
  fileprivate var callbacks: transport_callbacks {
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
      will_send: { CurlExchange.with($0) { $0.willSend() } })
  }

  /// The exchange behind what libcurl was given; it lives as long as its transfer.
  static func at(_ context: UnsafeMutableRawPointer?) -> CurlExchange {
    Unmanaged<CurlExchange>.fromOpaque(context!).takeUnretainedValue()
  }

  /// The same for the time of a call, which counts no reference.
  private static func with<Answer>(
    _ context: UnsafeMutableRawPointer?, _ body: (CurlExchange) -> Answer
  ) -> Answer {
    Unmanaged<CurlExchange>.fromOpaque(context!)._withUnsafeGuaranteedRef(body)
  }

  private func takeHeadLine(_ line: UnsafeRawBufferPointer) -> Bool {
    attempt { () throws(DataLoadingError) in
      let wasComplete = parser.isComplete
      try parser.take(line)
      guard parser.isComplete, !wasComplete else { return true }
      let now = Moment.now
      enter(.receiving(since: now))
      if mayShare { news.add(journey.origin, speaksHTTP2: parser.version == "2") }
      switch try HeadVerdict(parser, for: journey) {
      case .follow(let location, let bodyByteCount):
        self.location = location
        // A short body is worth waiting for: the connection can be used again.
        return bodyByteCount.map { $0 <= 64 << 10 } ?? false
      case .deliver(var head):
        timings.untilHead = (startedAt ?? now).duration(to: now)
        timings.connecting = hopBeganAt.duration(to: sentAt)
        timings.answering = sentAt.duration(to: now)
        head.timings = timings
        announced = (head.expectedByteCount, head.isContentCoded)
        soil()
        pipe.deliver(head)
        return true
      }
    }
  }

  private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    attempt { () throws(DataLoadingError) in
      // libcurl hands out one read in pieces, and does not stop between them when it is paused.
      if case .receiving = stage { enter(.receiving(since: news.turnBegan)) }
      guard location == nil else { return true }
      let limit = journey.limits.maximumByteCount
      guard bytes.count <= limit - received else { throw .tooLarge(limit: limit, announced: nil) }
      received += bytes.count
      if let announced = announced?.byteCount, received > announced {
        throw .longerThanAnnounced(byteCount: announced)
      }
      try checkExpansion()
      soil()
      guard let room = pipe.append(bytes) else { return false }
      // At once, or libcurl would go on reading for as long as there is something to read. Not while it decodes: what it
      // decodes of one read must go somewhere, and libcurl 7.88 does not go on from a pause in between.
      if room == .none, announced?.isContentCoded != true { pause() }
      return true
    }
  }

  /// The count from the wire may lag behind by one read, for which 16 KiB are allowed.
  private func checkExpansion() throws(DataLoadingError) {
    guard announced?.isContentCoded == true, journey.request.allowsContentCoding, received > 1 << 20,
      let transfer
    else { return }
    let (wire, ratio) = (Int(transport_transfer_wire_bytes(transfer)), journey.limits.maximumExpansionRatio)
    let (allowed, overflows) = (wire + (16 << 10)).multipliedReportingOverflow(by: ratio)
    guard overflows || received <= allowed else { throw .expandsTooMuch(ratio: ratio) }
  }

  private func willSend() {
    sentAt = .now
    enter(.waitingForHead(since: sentAt))
  }

  private func mayConnect(to bytes: [UInt8], port: UInt16) -> Bool {
    guard let address = NetworkAddress(bytes: bytes, port: port), addressPolicy.allows(address)
    else {
      addresses.refused += 1
      return false
    }
    addresses.allowed += 1
    if case .waitingForConnection = stage { enter(.connecting(since: .now)) }
    if mayShare { news.add(connectingTo: journey.origin) }
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

  private func error(for outcome: transport_outcome, message: String) -> DataLoadingError? {
    var host: String { journey.origin.host }
    var reason: String { message.isEmpty ? "no reason given" : message }
    switch outcome {
    // To libcurl, an end in the middle of a head is an end like others.
    case .done where announced == nil:
      return .connectionLost(.firstByte, reason: "closed before the end of the head")
    case .done:
      guard let expected = announced?.byteCount, expected != received else { return nil }
      return .truncated(received: received, expected: expected)
    case .partial, .lost, .stopped:
      if let announced { return .truncated(received: received, expected: announced.byteCount) }
      if !isSent { return .connectionLost(.connect, reason: reason) }
      return .connectionLost(.firstByte, reason: reason)
    case .bad_url where journey.wasRedirected: return .redirectRefused(.badLocation)
    case .bad_url: return .badURL(Redaction.text(of: journey.target))
    case .cannot_resolve: return .cannotResolve(host: host)
    case .cannot_connect where addresses.allowed == 0 && addresses.refused > 0:
      return .addressRefused(host: host)
    case .cannot_connect: return .cannotConnect(host: host, reason: reason)
    case .tls: return .tls(host: host, reason: reason)
    case .violation: return .protocolViolation(reason)
    case .bad_coding: return .badContentCoding
    case .timed_out: return .timedOut(.total)
    case .head_too_large: return .headTooLarge
    case .no_memory:
      // What libcurl 7 reports of a line above its own limit of 100 KB.
      if case .waitingForHead = stage { return .headTooLarge }
      return .unavailable("no memory")
    case .other:
      if !isSent { return .cannotConnect(host: host, reason: reason) }
      return .protocolViolation(reason)
    }
  }
}

extension CurlExchange: Equatable {
  static func == (left: CurlExchange, right: CurlExchange) -> Bool { left === right }
}
