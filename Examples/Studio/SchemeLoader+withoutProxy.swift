package import StreamImages

extension SchemeLoader {
  /// For what is on this machine: a proxy would look for 127.0.0.1 on its own.
  package static var withoutProxy: SchemeLoader {
    var network = CurlLoader.Configuration()
    network.proxy = .none
    return SchemeLoader(network: CurlLoader(network))
  }
}
