extension CurlLoader {
  /// How a loader connects. Fixed once it is made.
  public struct Configuration: Sendable {
    /// Which proxy transfers go through.
    public enum Proxy: Sendable, Hashable {
      /// What `https_proxy`, `http_proxy` and `no_proxy` say. Ignored, as if ``none``, when there is an
      /// ``Configuration/addressPolicy``: it could only judge the proxy's address.
      case environment
      /// Straight to the server, whatever the environment says.
      case none
      /// This one: `http://proxy.example:3128`.
      case url(String)
    }

    /// Who goes first when there are more than may run.
    public enum Order: Sendable, Hashable {
      /// What was asked for first.
      case oldestFirst
      /// What was asked for last is likely to be what somebody looks at.
      case newestFirst
    }

    /// Connections to one scheme, host and port at the same time; others wait in line. If the loader ``multiplexes``, so many for
    /// bodies that are kept as they come, and so many for those that wait to be pulled; in the same way
    /// ``maximumConnections``.
    ///
    /// A body that is larger than the buffer keeps its place until it is pulled or let go of. Loads that share a connection
    /// are not counted here.
    public var maximumConnectionsPerHost = 6
    /// Connections at the same time.
    public var maximumConnections = 64
    /// Loads that share a connection over HTTP/2, if the server lets so many. A server that lets fewer gets more connections, up
    /// to ``maximumConnectionsPerHost``.
    public var maximumStreamsPerConnection = 100
    /// Who goes first of those who wait for a connection. The oldest by default.
    public var order = Order.oldestFirst
    /// How many bytes may wait for their consumer before the transfer is paused. One read of a socket may come on top;
    /// of a compressed body, what a hundred of them make.
    public var bufferedByteCount = 256 << 10
    /// Whether servers are asked for HTTP/2, over TLS. They are by default.
    public var usesHTTP2 = true
    /// Whether loads over HTTP/2 share a connection. They do by default.
    ///
    /// Only those whose bodies are kept as they come do: with ``DataRequest/buffersBody``, as a pipeline's, or by `data(for:)`. A
    /// body that waits to be pulled would hold up the neighbours, as older versions of libcurl stop reading a connection
    /// when one of its streams is paused: it has a connection of its own.
    public var multiplexes = true
    /// That of the environment by default.
    public var proxy = Proxy.environment
    /// The path of a PEM file with the authorities to trust instead of the system's.
    public var certificateAuthorities: String?
    /// Which addresses may be connected to, once names are resolved.
    public var addressPolicy = AddressPolicy.any
    /// Which hosts may be loaded from, at first and by redirect. Every host by default.
    public var hostPolicy = HostPolicy.any
    /// Sent unless a request has its own `User-Agent`.
    public var userAgent = "StreamImages"
    /// How long connections are kept once nothing is loading.
    public var idleConnectionLifetime = Duration.seconds(60)

    /// The defaults.
    public init() {}

    /// A configuration for servers that fetch URLs from strangers: public addresses only, and no proxy.
    ///
    /// Set ``hostPolicy`` as well if the hosts are known. For a whole pipeline, use
    /// ``ImagePipeline/Configuration/server(allowing:)``.
    public static var server: Configuration {
      var configuration = Configuration()
      configuration.addressPolicy = .publicOnly
      configuration.proxy = .none
      return configuration
    }
  }
}
