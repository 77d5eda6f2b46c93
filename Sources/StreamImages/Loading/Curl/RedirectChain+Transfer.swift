import CTransport
import Foundation

extension RedirectChain {
  /// Begins this hop. Returns false if libcurl refuses.
  ///
  /// - Parameters:
  ///   - waits: Whether to wait for a connection that is being made, to share it.
  ///   - turn: How many loads of the origin run already.
  func start(
    _ transfer: OpaquePointer, with configuration: CurlLoader.Configuration,
    _ priority: ImageRequest.Priority, waits: Bool, turn: Int
  ) -> Bool {
    var isReady = transport_transfer_is_set_up(transfer) || configuration.setUp(transfer)
    isReady = isReady && transport_transfer_set_http(transfer, configuration.usesHTTP2, waits)
    let milliseconds = milliseconds(toConnectWaiting: waits && turn > 0)
    isReady = isReady && transport_transfer_set_connecting(transfer, milliseconds)
    // Before the time for the response is over, so that a request that may be repeated is.
    let silence = min(86_400, max(1, limits.firstByteTimeout.components.seconds / 3 * 2))
    transport_transfer_set_silence(transfer, UInt32(silence) * 1000)
    isReady =
      isReady
      && transport_transfer_set_weight(
        transfer, priority.weight(in: request.isIncremental ? 0 : turn))
    switch method {
    case .get where body == nil: break
    case .head: isReady = isReady && transport_transfer_ask_for_head_only(transfer)
    default: isReady = isReady && send(on: transfer)
    }
    let allowsCoding = request.allowsContentCoding
    if allowsCoding { isReady = isReady && transport_transfer_accept_coding(transfer) }
    let priorityField =
      headers["Priority"] == nil ? priority.field(isIncremental: request.isIncremental) : nil
    let hasOwnHeaders =
      allowsCoding || body != nil || !method.isSafe || !headers.isEmpty || priorityField != nil
    if hasOwnHeaders {
      for field in configuration.headers where headers[field.name] == nil {
        if allowsCoding, field.isNamed("Accept-Encoding") { continue }
        isReady = isReady && transport_transfer_add_header(transfer, field.line)
      }
      for field in headers { isReady = isReady && transport_transfer_add_header(transfer, field.line) }
      if let priorityField { isReady = isReady && transport_transfer_add_header(transfer, priorityField) }
    }
    return isReady && transport_transfer_start(transfer, hasOwnHeaders)
  }

  /// libcurl has to know the time to connect, because it tries another address of the host after half of it. It would
  /// count the wait for another load's connection. A little more, because the loop ends those who wait with the load.
  private func milliseconds(toConnectWaiting waits: Bool) -> Int {
    let (seconds, attoseconds) = limits.connectTimeout.components
    guard !waits, seconds < 86_400 else { return 86_400_000 }
    let time = max(1, max(0, Int(seconds)) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    return time + min(time / 4, 1000)
  }

  private func send(on transfer: OpaquePointer) -> Bool {
    // Removes two defaults of libcurl: a content type, and waiting for permission to send a large body.
    var isReady = transport_transfer_add_header(transfer, "Expect:")
    if headers["Content-Type"] == nil {
      isReady = isReady && transport_transfer_add_header(transfer, "Content-Type:")
    }
    guard let body else {
      return isReady && transport_transfer_send(transfer, method.rawValue, nil, method == .delete ? -1 : 0)
    }
    return body.withUnsafeBytes { bytes in
      isReady && transport_transfer_send(transfer, method.rawValue, bytes.baseAddress, Int64(bytes.count))
    }
  }
}

extension ImageRequest.Priority {
  /// The header of RFC 9218. An urgency of 0 is the most urgent, and 3 the default.
  fileprivate func field(isIncremental: Bool) -> String? {
    let urgency: String? =
      switch self {
      case .veryLow: "u=6"
      case .low: "u=5"
      case .normal: nil
      case .high: "u=1"
      case .veryHigh: "u=0"
      }
    switch (urgency, isIncremental) {
    case (nil, false): return nil
    case (nil, true): return "Priority: i"
    case (let urgency?, false): return "Priority: \(urgency)"
    case (let urgency?, true): return "Priority: \(urgency), i"
    }
  }

  /// The weight of RFC 7540, for older servers. It falls from load to load, because one that is complete can be shown,
  /// and a hundred beginnings cannot: nginx sends bodies of the same weight in turns, and others in their order.
  fileprivate func weight(in turn: Int) -> Int32 {
    let weights: ClosedRange<Int32> =
      switch self {
      case .veryLow: 1...3
      case .low: 4...15
      case .normal: 16...127
      case .high: 128...255
      case .veryHigh: 256...256
      }
    return max(weights.lowerBound, weights.upperBound - Int32(clamping: turn))
  }
}

extension HeaderFields.Field {
  /// For libcurl, a name with only a colon means to leave the header out.
  var line: String { value.isEmpty ? name + ";" : "\(name): \(value)" }
}

extension CurlLoader.Configuration {
  /// The default headers of each request.
  var headers: HeaderFields {
    var headers: HeaderFields = ["Accept-Encoding": "identity"]
    if !userAgent.isEmpty { headers["User-Agent"] = userAgent }
    // A line end would begin another header.
    return headers.withoutControls
  }

  /// Options that are the same for all transfers of a loader.
  fileprivate func setUp(_ transfer: OpaquePointer) -> Bool {
    var isReady = true
    if let certificateAuthorities {
      isReady = transport_transfer_set_authorities(transfer, certificateAuthorities)
    }
    if let proxyInUse { isReady = isReady && transport_transfer_set_proxy(transfer, proxyInUse) }
    return isReady
  }

  /// For libcurl, an empty proxy means none.
  fileprivate var proxyInUse: String? {
    switch proxy {
    case .environment: addressPolicy.isOpen ? nil : ""
    case .none: ""
    case .url(let url): url
    }
  }
}
