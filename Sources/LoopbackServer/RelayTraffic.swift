internal import LoopbackSockets

/// The connections of a relay, and the bytes on their way. Confined to its thread.
struct RelayTraffic {
  fileprivate typealias Instant = ContinuousClock.Instant

  fileprivate struct Piece {
    let due: Instant
    var bytes: ArraySlice<UInt8>
  }

  /// One direction of a connection.
  fileprivate struct Way {
    let from: Socket
    let to: Socket
    var pieces: [Piece] = []
    /// Pieces arrive in order.
    var lastDue: Instant
    var hasReceived = false
    var hasEnded = false
    var isBlocked = false
  }

  private struct Crossing {
    let number: Int
    /// To the server, and back.
    var ways: [Way]

    func isStill(_ settings: NetworkRelay.Settings) -> Bool {
      settings.isSilent || number <= settings.lastForgotten
    }
  }

  /// At most so much waits for its turn on the link. The rest stays with its sender.
  private static let queue = Duration.milliseconds(50)

  private var crossings: [Crossing] = []
  /// When the link has sent what it has accepted, for each direction.
  private var freeAt = [Instant.now, .now]
  /// How long the thread may sleep.
  private(set) var pause = Duration.milliseconds(20)

  mutating func add(_ client: Socket, _ server: Socket, number: Int, _ link: Link) {
    let opens = Instant.now + link.delay * 2
    crossings.append(
      Crossing(
        number: number,
        ways: [
          Way(from: client, to: server, lastDue: opens), Way(from: server, to: client, lastDue: opens),
        ]))
  }

  /// What the thread waits for: each end of each connection, to read from it or to write to it.
  func awaited(_ settings: NetworkRelay.Settings) -> [(socket: Socket, toRead: Bool, toWrite: Bool)] {
    let now = Instant.now
    return crossings.flatMap { crossing in
      (0..<2).map { side in
        let (way, back) = (crossing.ways[side], crossing.ways[1 - side])
        let isStill = crossing.isStill(settings)
        return (way.from, !isStill && !way.hasEnded && !isFull(side, now), !isStill && back.isBlocked)
      }
    }
  }

  private func isFull(_ side: Int, _ now: Instant) -> Bool { freeAt[side] - now > Self.queue }

  /// Passes on what is due, and receives what the link has room for.
  mutating func turn(_ settings: NetworkRelay.Settings) -> (resets: Int, byteCount: Int) {
    var (resets, byteCount) = (0, 0)
    pause = .milliseconds(20)
    crossings.shuffle()
    for index in crossings.indices {
      guard !crossings[index].isStill(settings) else { continue }
      let mayReset = resets < settings.resetsLeft && crossings[index].number > settings.lastSpared
      for side in 0..<2 {
        receive(index, side, settings.link)
        // The server could answer before the connection is reset.
        guard !mayReset else { break }
        let sent = deliver(index, side)
        if side == 1 { byteCount += sent ?? 0 }
        if sent == nil { crossings[index].ways[side].hasEnded = true }
      }
      let ways = crossings[index].ways
      if crossings[index].number <= settings.lastReset {
        for way in ways { way.from.reset() }
      } else if mayReset, ways[0].hasReceived {
        for way in ways { way.from.reset() }
        resets += 1
      } else if ways.contains(where: { $0.hasEnded && $0.pieces.isEmpty }) {
        for way in ways { way.from.close() }
      } else {
        continue
      }
      crossings[index].ways = []
    }
    crossings.removeAll { $0.ways.isEmpty }
    return (resets, byteCount)
  }

  private mutating func receive(_ index: Int, _ side: Int, _ link: Link) {
    let now = Instant.now
    while !crossings[index].ways[side].hasEnded, !isFull(side, now),
      let bytes = crossings[index].ways[side].from.receive(atMost: link.pieceByteCount)
    {
      guard !bytes.isEmpty else { return crossings[index].ways[side].hasEnded = true }
      freeAt[side] = max(now, freeAt[side]) + link.transmission(of: bytes.count)
      crossings[index].ways[side].add(
        bytes, due: freeAt[side] + max(.zero, link.delay + link.lateness(of: bytes.count)))
    }
    if isFull(side, now) { pause = min(pause, max(.milliseconds(1), freeAt[side] - now - Self.queue)) }
  }

  /// Returns the number of bytes sent; `nil` if nobody takes them any more.
  private mutating func deliver(_ index: Int, _ side: Int) -> Int? {
    let now = Instant.now
    let (sent, next) = crossings[index].ways[side].deliver(now)
    if let next { pause = min(pause, max(.milliseconds(1), next - now)) }
    return sent
  }

  mutating func closeAll() {
    for way in crossings.flatMap(\.ways) { way.from.close() }
    crossings = []
  }
}

extension RelayTraffic.Way {
  mutating func add(_ bytes: [UInt8], due: ContinuousClock.Instant) {
    hasReceived = true
    lastDue = max(lastDue, due)
    pieces.append(.init(due: lastDue, bytes: bytes[...]))
  }

  /// Sends the pieces that are due.
  ///
  /// - Returns: The number of bytes sent, `nil` if the connection is broken; and when the next piece is due.
  mutating func deliver(_ now: ContinuousClock.Instant) -> (sent: Int?, next: ContinuousClock.Instant?) {
    var total = 0
    isBlocked = false
    while let piece = pieces.first {
      guard piece.due <= now else { return (total, piece.due) }
      guard let sent = piece.bytes.withUnsafeBytes({ to.send($0) }) else {
        pieces = []
        return (nil, nil)
      }
      total += sent
      pieces[0].bytes = piece.bytes.dropFirst(sent)
      guard pieces[0].bytes.isEmpty else {
        isBlocked = true
        return (total, nil)
      }
      pieces.removeFirst()
    }
    return (total, nil)
  }
}
