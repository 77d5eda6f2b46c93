import CTransport
import Foundation

extension Journey {
  /// Tells libcurl how to make this hop. False if it refuses.
  func setUp(_ transfer: OpaquePointer, with configuration: CurlLoader.Configuration) -> Bool {
    var isReady = transport_transfer_is_set_up(transfer) || configuration.setUp(transfer)
    switch method {
    case .get where body == nil: break
    case .head: isReady = isReady && transport_transfer_ask_for_head_only(transfer)
    default: isReady = isReady && send(on: transfer)
    }
    if request.allowsContentCoding { isReady = isReady && transport_transfer_accept_coding(transfer) }
    for field in headers {
      // For libcurl, a name with a colon and nothing else means: leave this header out.
      let line = field.value.isEmpty ? field.name + ";" : "\(field.name): \(field.value)"
      isReady = isReady && transport_transfer_add_header(transfer, line)
    }
    return isReady
  }

  private func send(on transfer: OpaquePointer) -> Bool {
    // libcurl has a type of its own for what it sends, and waits for leave to send much of it.
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

extension CurlLoader.Configuration {
  /// What is the same for all transfers of a loader.
  fileprivate func setUp(_ transfer: OpaquePointer) -> Bool {
    // A header of that name takes its place.
    var isReady = transport_transfer_set_user_agent(transfer, userAgent)
    if usesHTTP2 { isReady = isReady && transport_transfer_use_http2(transfer) }
    if let certificateAuthorities {
      isReady = isReady && transport_transfer_set_authorities(transfer, certificateAuthorities)
    }
    if let proxyInUse { isReady = isReady && transport_transfer_set_proxy(transfer, proxyInUse) }
    return isReady
  }

  /// For libcurl, no proxy at all is the empty one.
  fileprivate var proxyInUse: String? {
    switch proxy {
    case .environment: addressPolicy.isOpen ? nil : ""
    case .none: ""
    case .url(let url): url
    }
  }
}
