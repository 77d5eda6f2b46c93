extension CurlLoader {
  /// How a ``CurlLoader`` connects. Fixed when the loader is created. Numbers below 1 count as 1.
  public struct Configuration: Sendable {
    /// The proxy for transfers.
    public enum Proxy: Sendable, Hashable {
      /// The proxy that the environment names, for example in `https_proxy`. Ignored if there is an
      /// ``Configuration/addressPolicy``, which could only check the address of the proxy.
      case environment
      /// No proxy, whatever the environment contains.
      case none
      /// A proxy at a URL, for example `http://proxy.example:3128`, for all hosts, whatever the environment contains.
      case url(String)
    }

    /// The order of waiting loads of the same priority.
    public enum Order: Sendable, Hashable {
      /// The oldest request first.
      case oldestFirst
      /// The newest request first. It is the one most likely to be visible.
      case newestFirst
    }

    /// The number of concurrent connections to one scheme, host and port. Further loads wait. 6 by default.
    ///
    /// If the loader ``multiplexes``, buffered and unbuffered bodies each have this number of connections. The same
    /// applies to ``maximumConnections``. A body larger than the buffer occupies a connection until it is read or
    /// released. Loads that share a connection are not counted here.
    public var maximumConnectionsPerHost = 6
    /// The number of concurrent connections. 64 by default. Hosts that were never reached have one each, and share half of the
    /// others.
    public var maximumConnections = 64
    /// The number of loads that share one HTTP/2 connection, if the server allows as many. 100 by default. A server
    /// that allows fewer gets more connections, up to ``maximumConnectionsPerHost``.
    public var maximumStreamsPerConnection = 100
    /// The order of loads that wait for a connection. The oldest first by default.
    public var order = Order.oldestFirst
    /// The number of bytes that may wait for their consumer before the transfer is paused. 1 MiB by default.
    ///
    /// One read of a socket may exceed it; for a compressed body, a hundred times that read. Fewer bytes save memory for
    /// each body that nobody reads, and pause more often.
    public var bufferedByteCount = 1 << 20
    /// Whether to use HTTP/2 over TLS. `true` by default.
    public var usesHTTP2 = true
    /// Whether loads share a connection over HTTP/2. `true` by default.
    ///
    /// Only loads with buffered bodies do: those of a pipeline, those with ``DataRequest/buffersBody``, and
    /// `data(for:)`. Older versions of libcurl stop reading a connection when one of its streams is paused. So a body
    /// that waits to be read has a connection of its own.
    public var multiplexes = true
    /// The proxy. That of the environment by default.
    public var proxy = Proxy.environment
    /// The path of a PEM file with the certificate authorities to trust instead of the system's. It is read when a loader
    /// connects first; with libcurl before 7.87, for each connection.
    public var certificateAuthorities: String?
    /// The addresses that may be connected to, checked after names are resolved. Every address by default.
    public var addressPolicy = AddressPolicy.any
    /// The hosts that may be loaded from, directly or by redirect. Every host by default.
    public var hostPolicy = HostPolicy.any
    /// The `User-Agent` header of requests that do not set it. Control characters are sent as spaces.
    public var userAgent = "StreamImages"
    /// How long connections are kept while the loader has nothing to load. 60 seconds by default, and a century at most.
    public var idleConnectionLifetime = Duration.seconds(60)

    /// Addresses of names in place of those that the system knows, for tests: "name:port:address,address".
    package var addressesOfNames: [String] = []

    /// Creates the default configuration.
    public init() {}

    /// A configuration for servers that load URLs from strangers: public addresses only, no proxy, and 16 connections
    /// to each host.
    ///
    /// Set ``hostPolicy`` as well if you know the hosts. For a whole pipeline, use
    /// ``ImagePipeline/Configuration/server(allowing:)``.
    public static var server: Configuration {
      var configuration = Configuration()
      configuration.addressPolicy = .publicOnly
      configuration.proxy = .none
      configuration.maximumConnectionsPerHost = 16
      return configuration
    }
  }
}
