import Foundation
import LoopbackSockets
import StreamsInspector

/// Sends bytes as they are, and receives the whole response.
struct Visitor {
  private let socket: Socket
  private let alarm: Alarm

  init(_ port: UInt16) throws {
    socket = try Socket.connecting(to: port)
    alarm = try Alarm()
    _ = socket.wait(toWrite: true, alarm: alarm)
  }

  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty, let count = rest.withUnsafeBytes(socket.send) {
      rest = rest.dropFirst(count)
      if count == 0 { _ = socket.wait(toWrite: true, alarm: alarm, timeout: .seconds(10)) }
    }
  }

  /// What arrives until the end.
  func receive() -> [UInt8] {
    var received: [UInt8] = []
    while socket.wait(toRead: true, alarm: alarm, timeout: .seconds(30)) == .ready {
      guard let bytes = socket.receive() else { continue }
      if bytes.isEmpty { break }
      received += bytes
    }
    return received
  }

  /// The status and the body of the response to a request of these bytes.
  static func ask(_ port: UInt16, _ bytes: [UInt8]) -> (status: Int, body: String) {
    guard let visitor = try? Visitor(port) else { return (0, "") }
    visitor.send(bytes)
    let text = String(decoding: visitor.receive(), as: UTF8.self)
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1)
    let status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return (status, parts.count > 1 ? String(parts[1]) : "")
  }

  /// The same for a path below the address of an inspector, as a browser asks for it.
  static func ask(_ inspector: StreamInspector, _ path: String) -> (status: Int, body: String) {
    let target = "/\(inspector.token)/\(path)"
    return ask(
      inspector.port, Array("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(inspector.port)\r\n\r\n".utf8))
  }
}

extension StreamInspector {
  var token: String { String(url.split(separator: "/").last ?? "") }

  /// The list, as the page asks for it.
  func list(_ query: String = "") throws -> List {
    try JSONDecoder().decode(List.self, from: Data(Visitor.ask(self, "live.json\(query)").body.utf8))
  }

  func events(of id: Int) throws -> Events {
    try JSONDecoder().decode(Events.self, from: Data(Visitor.ask(self, "events.json?id=\(id)").body.utf8))
  }
}

/// The schema of the list: each field that the page reads.
struct List: Decodable {
  let program: String
  let time, took: Double
  let subscriptions, chains, matching, shownChains, shown, events, unheard: Int
  let kinds: [Kind]
  let rows: [Row]

  struct Kind: Decodable {
    let publisher, subscriber: String
    let count: Int
  }

  struct Row: Decodable {
    let id: Int
    let parent: Int?
    let lane: Int
    let root, found: Bool
    let publisher, subscriber, name, place, reason: String
    let values, drops: Int
    let demand: Demand?
    let waiting: Int?
    let open, silent: Double
  }

  /// A number, or "unlimited".
  enum Demand: Decodable, Equatable {
    case limited(Int), unlimited

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let count = try? container.decode(Int.self) {
        self = .limited(count)
      } else {
        let text = try container.decode(String.self)
        precondition(text == "unlimited")
        self = .unlimited
      }
    }
  }
}

/// The schema of the events.
struct Events: Decodable {
  let id: Int
  let events: [Event]

  struct Event: Decodable {
    let number, thread: Int
    let time: Double
    let text, queue: String
  }
}

/// A precondition that may throw.
func check(_ condition: @autoclosure () throws -> Bool, line: UInt = #line) rethrows {
  let holds = try condition()
  precondition(holds, line: line)
}
