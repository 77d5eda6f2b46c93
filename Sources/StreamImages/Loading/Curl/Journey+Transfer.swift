import CTransport

extension Journey {
  /// Tells libcurl how to make this hop. False if it refuses.
  func setUp(_ transfer: OpaquePointer, with configuration: CurlLoader.Configuration) -> Bool {
    var isReady = true
    if request.method == .head { isReady = isReady && transport_transfer_ask_for_head_only(transfer) }
    if configuration.usesHTTP2 { isReady = isReady && transport_transfer_use_http2(transfer) }
    if let authorities = configuration.certificateAuthorities {
      isReady = isReady && transport_transfer_set_authorities(transfer, authorities)
    }
    if let proxy = configuration.proxyInUse {
      isReady = isReady && transport_transfer_set_proxy(transfer, proxy)
    }
    if request.allowsContentCoding {
      isReady = isReady && transport_transfer_accept_coding(transfer)
    } else if headers["Accept-Encoding"] == nil {
      isReady = isReady && transport_transfer_add_header(transfer, "Accept-Encoding: identity")
    }
    if headers["User-Agent"] == nil {
      isReady = isReady && transport_transfer_set_user_agent(transfer, configuration.userAgent)
    }
    for field in headers {
      // For libcurl, a name with a colon and nothing else means: leave this header out.
      let line = field.value.isEmpty ? field.name + ";" : "\(field.name): \(field.value)"
      isReady = isReady && transport_transfer_add_header(transfer, line)
    }
    return isReady
  }
}

extension CurlLoader.Configuration {
  /// For libcurl, no proxy at all is the empty one.
  fileprivate var proxyInUse: String? {
    switch proxy {
    case .environment: addressPolicy.isOpen ? nil : ""
    case .none: ""
    case .url(let url): url
    }
  }
}
