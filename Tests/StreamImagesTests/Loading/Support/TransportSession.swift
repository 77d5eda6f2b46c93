import CTransport
import Foundation
import Testing

/// What a transfer received, and what its callbacks answer.
final class TransferRecord {
  var lines: [String] = []
  var body = Data()
  var addresses: [[UInt8]] = []
  var ports: [UInt16] = []
  var connections: [Int64] = []
  var acceptsHead = true
  var acceptsBody = true
  var mayConnect = true
  var onBody: () -> Void = {}

  static func of(_ context: UnsafeMutableRawPointer?) -> TransferRecord {
    Unmanaged<TransferRecord>.fromOpaque(context!).takeUnretainedValue()
  }

  var callbacks: transport_callbacks {
    transport_callbacks(
      context: Unmanaged.passUnretained(self).toOpaque(),
      head_line: { context, bytes, count in
        let own = TransferRecord.of(context)
        own.lines.append(String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self))
        return own.acceptsHead
      },
      body: { context, bytes, count in
        let own = TransferRecord.of(context)
        own.body.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
        own.onBody()
        return own.acceptsBody
      },
      may_connect: { context, address, count, port in
        let own = TransferRecord.of(context)
        own.addresses.append(Array(UnsafeRawBufferPointer(start: address, count: count)))
        own.ports.append(port)
        return own.mayConnect
      },
      will_send: { context, connection, _ in
        TransferRecord.of(context).connections.append(connection)
        return .go
      })
  }
}

/// A session on the thread of the test.
final class TransportSession {
  let session: OpaquePointer

  init() throws {
    session = try #require(transport_session_make(4, false, 4, 100))
    #expect(transport_session_add(session, .header, "Accept: image/*"))
    #expect(transport_session_add(session, .proxy, ""))
  }

  deinit { transport_session_free(session) }

  func transfer(to url: URL, _ received: TransferRecord) throws -> OpaquePointer {
    try #require(transport_transfer_make(session, url.absoluteString, received.callbacks))
  }

  /// The contexts of the next `count` transfers that end, with their outcomes.
  func ended(_ count: Int = 1) throws -> [(context: UnsafeMutableRawPointer, outcome: transport_outcome)] {
    var ended: [(UnsafeMutableRawPointer, transport_outcome)] = []
    while ended.count < count {
      try #require(transport_session_perform(session))
      var outcome = transport_outcome.other
      while let context = transport_session_next_ended(session, &outcome) { ended.append((context, outcome)) }
      if ended.count < count { try #require(transport_session_wait(session, 20_000) >= 0) }
    }
    return ended
  }

  /// Runs one transfer, and gives it back whether or not it has ended well.
  func run(
    _ url: URL, _ received: TransferRecord = TransferRecord(), options: transport_options = .plain,
    configure: (OpaquePointer) -> Bool = { _ in true }, check: (OpaquePointer) -> Void = { _ in }
  ) throws -> transport_outcome {
    let transfer = try transfer(to: url, received)
    defer { transport_transfer_free(transfer) }
    #expect(String(cString: transport_transfer_failure(transfer).message) == "")
    #expect(
      transport_transfer_failure(transfer).socket_error == 0
        && !transport_transfer_failure(transfer).was_flooded)
    #expect(configure(transfer) && transport_transfer_start(transfer, options))
    let (context, outcome) = try ended()[0]
    #expect(context == received.callbacks.context)
    check(transfer)
    return outcome
  }

  func isNextSetUp(_ url: URL) throws -> Bool {
    let transfer = try transfer(to: url, TransferRecord())
    defer { transport_transfer_free(transfer) }
    return transport_transfer_is_set_up(transfer)
  }
}

extension transport_options {
  /// Those of a simple request.
  static var plain: transport_options { plain() }

  static func plain(_ change: (inout transport_options) -> Void = { _ in }) -> transport_options {
    var options = transport_options()
    (options.weight, options.connecting_milliseconds) = (16, 86_400_000)
    change(&options)
    return options
  }
}
