/// Writes events in Chrome's JSON format.
struct PerfettoEncoder {
  private struct Mark {
    let track: Int
    let time: Double
    let thread: Int
  }

  private struct Track {
    /// The end of its last slice, in microseconds: slices of a track must not overlap.
    var end = 0.0
    var hasOpened = false
    var lastRequest: Mark?
    /// Values of those above that were not delivered here yet, and the last one.
    var arrived = RingQueue<Mark>()
    var lastArrival: Mark?
    var valueCount = 0
    var dropCount = 0
    var waitingCount = 0
    /// When a counter was last written.
    var counted: [String: Double] = [:]
  }

  static let header =
    #"{"ph":"M","pid":1,"name":"process_name","args":{"name":"Streams"}}"# + ",\n"
    + #"{"ph":"M","pid":2,"name":"process_name","args":{"name":"Other work"}}"#

  private var tracks: [Int: Track] = [:]
  /// The ends of the last slices of closed tracks. The limit of a trace bounds their number.
  private var closed: [Int: Double] = [:]
  private var flowCount = 0
  /// The ends of the rows of each named track.
  private var rows: [(track: String, end: Double)] = []

  // MARK: Signals

  mutating func encode(_ event: Timeline.Event, isChild: Bool) -> String {
    let time = event.time.microseconds
    guard let subscription = event.subscription else { return instant(event.kind.words, time) }
    if let end = closed[subscription.id] {
      // Another thread took the time of this signal before the last one. Opened again, the track would never be closed.
      let start = max(time, end)
      closed[subscription.id] = start + Self.length
      return slice(event, of: subscription, at: start)
    }
    var track = tracks[subscription.id] ?? Track()
    var text = ""
    if !track.hasOpened {
      track.hasOpened = true
      text += open(subscription, time)
    }
    let start = max(time, track.end)
    track.end = start + Self.length
    let mark = Mark(track: subscription.id, time: start, thread: event.thread)
    text += slice(event, of: subscription, at: start)
    switch event.kind {
    case .requested: text += arrow(toRequest: mark, of: subscription, &track)
    case .value:
      track.valueCount += 1
      text += arrow(toValue: mark, of: subscription, &track, isChild: isChild)
      text += count("values", track.valueCount, subscription, time, &track)
    case .dropped:
      track.dropCount += 1
      text += count("drops", track.dropCount, subscription, time, &track)
    case .finished, .failed, .cancelled, .released:
      track.counted = [:]
      text += count("values", track.valueCount, subscription, time, &track)
      text += #",\#n{"ph":"E","pid":1,"tid":\#(subscription.id),"ts":\#(track.end)}"#
      tracks[subscription.id] = nil
      closed[subscription.id] = track.end
      return text
    case .subscribed, .found, .subscription: break
    }
    tracks[subscription.id] = track
    return text
  }

  /// The length of a signal's slice in microseconds: short, so that the next one does not overlap.
  private static let length = 0.05

  private func open(_ subscription: Timeline.Subscription, _ time: Double) -> String {
    let place = subscription.place.map { "\($0)" } ?? ""
    let parent = subscription.parent.map { "\($0)" } ?? ""
    return
      #",\#n{"ph":"M","pid":1,"tid":\#(subscription.id),"name":"thread_name","args":{"name":\#("\(subscription)".json)}}"#
      + #",\#n{"ph":"B","pid":1,"tid":\#(subscription.id),"ts":\#(time),"name":\#(subscription.publisher.json),"args":{"parent":\#(parent.json),"place":\#(place.json)}}"#
  }

  private func slice(
    _ event: Timeline.Event, of subscription: Timeline.Subscription, at time: Double
  ) -> String {
    #",\#n{"ph":"X","pid":1,"tid":\#(subscription.id),"ts":\#(time),"dur":\#(Self.length),"name":\#(event.kind.words.trimmed(to: 80).json),"args":{"thread":\#(event.thread),"queue":\#((event.queue ?? "").json)}}"#
  }

  private func instant(_ words: String, _ time: Double) -> String {
    #",\#n{"ph":"i","s":"p","pid":1,"tid":0,"ts":\#(time),"name":\#(words.trimmed(to: 80).json)}"#
  }

  // MARK: Arrows

  /// From the request of the subscription below that led to this one.
  private mutating func arrow(
    toRequest mark: Mark, of subscription: Timeline.Subscription, _ track: inout Track
  ) -> String {
    track.lastRequest = mark
    guard let below = subscription.parent.flatMap({ tracks[$0]?.lastRequest }), below.thread == mark.thread
    else { return "" }
    return arrow("demand", from: below, to: mark)
  }

  /// From the value above, if it was delivered on another thread. A value on the same thread passed at once, or is another.
  private mutating func arrow(
    toValue mark: Mark, of subscription: Timeline.Subscription, _ track: inout Track, isChild: Bool
  ) -> String {
    var text = ""
    if let last = track.lastArrival, last.thread == mark.thread {
      track.arrived = RingQueue()
    } else if let first = track.arrived.popFirst() {
      text += arrow("hop", from: first, to: mark)
    }
    if track.waitingCount > 0 {
      track.waitingCount -= 1
      text += count("waiting", track.waitingCount, subscription, mark.time, &track)
    }
    guard let parent = subscription.parent, var below = tracks[parent] else { return text }
    below.lastArrival = mark
    below.arrived.append(mark)
    if below.arrived.count > 1_000 { _ = below.arrived.popFirst() }
    if isChild { below.waitingCount += 1 }
    tracks[parent] = below
    return text
  }

  private mutating func arrow(_ name: String, from: Mark, to: Mark) -> String {
    flowCount += 1
    let common = #""pid":1,"cat":"\#(name)","name":"\#(name)","id":\#(flowCount)"#
    return #",\#n{"ph":"s",\#(common),"tid":\#(from.track),"ts":\#(from.time)}"#
      + #",\#n{"ph":"f","bp":"e",\#(common),"tid":\#(to.track),"ts":\#(to.time)}"#
  }

  // MARK: Counters

  /// At most one figure in a millisecond, and the first.
  private func count(
    _ name: String, _ value: Int, _ subscription: Timeline.Subscription, _ time: Double, _ track: inout Track
  ) -> String {
    if let last = track.counted[name], time - last < 1_000 { return "" }
    track.counted[name] = time
    return
      #",\#n{"ph":"C","pid":1,"ts":\#(time),"name":\#("\(name) #\(subscription.id) \(subscription)".json),"args":{"\#(name)":\#(value)}}"#
  }

  // MARK: Other work

  mutating func slice(
    _ name: String, track: String, start: Duration, duration: Duration, details: [String: String]
  ) -> String {
    let (start, length) = (start.microseconds, max(0, duration.microseconds))
    // Reported in the order of their ends: a row is free if its last slice ended before this one began.
    var text = ""
    let row: Int
    if let free = rows.firstIndex(where: { $0.track == track && $0.end <= start }) {
      row = free
    } else {
      row = rows.count
      rows.append((track, 0))
      text = #",\#n{"ph":"M","pid":2,"tid":\#(row + 1),"name":"thread_name","args":{"name":\#(track.json)}}"#
    }
    rows[row].end = start + length
    let arguments = details.sorted { $0.key < $1.key }.map { "\($0.key.json):\($0.value.json)" }
    return text
      + #",\#n{"ph":"X","pid":2,"tid":\#(row + 1),"ts":\#(start),"dur":\#(length),"name":\#(name.json),"args":{\#(arguments.joined(separator: ","))}}"#
  }
}

extension Duration {
  fileprivate var microseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) * 1e6 + Double(attoseconds / 1_000_000_000) / 1e3
  }
}

extension String {
  /// The text as a JSON string, with its quotes.
  package var json: String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case _ where scalar.value < 32:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
