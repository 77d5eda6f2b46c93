internal import Foundation

extension ImagePipeline.Configuration {
  /// Creates a configuration for servers that load URLs from strangers.
  ///
  /// ```swift
  /// let pipeline = ImagePipeline(.server(allowing: ["images.example.com", "*.cdn.example.com"]))
  /// ```
  ///
  /// It restricts what a stranger could abuse:
  ///
  /// - Only `http` and `https` URLs are loaded, only from hosts that `hosts` allows, and only from public addresses.
  ///   This applies to redirects too. Proxy settings of the environment are ignored.
  /// - A body has at most 16 MiB and a head 32 KiB. There are at most three redirects. The time limits of ``LoadLimits``
  ///   are five seconds to connect, ten between bytes, and thirty in total.
  /// - An image has at most 25 million pixels and decodes within five seconds. An animation has at most 200 frames.
  ///   Decoding takes at most 256 MiB at a time, unless a single image needs more.
  /// - 64 loads run at a time, 16 from one host. Loading waits while more than 16 MiB wait to be decoded, or to be stored.
  /// - As many images are encoded at a time as there are processors.
  /// - On Linux, images are decoded in worker processes without files or network. Call `ImageWorker.runIfAsked()` first in
  ///   your program, or put `image-worker` beside it. Without either, each image fails with
  ///   `ImageCodecError.isolationUnavailable`. Set ``decodingIsolation`` to `.none` to decode in the program.
  /// - Nothing is shared with pipelines of other configurations: the memory cache is its own, there is no disk cache, and
  ///   decoders of ``ImageDecoderRegistry/shared`` are not used.
  ///
  /// Caches respond without asking the loader. If you add a disk cache, do not use one that a pipeline with other
  /// rules stores in, such as ``DataCache/shared``. With a disk cache, up to 8 MiB of recently loaded bytes are kept in
  /// memory; see ``recentByteLimit``.
  ///
  /// - Parameter hosts: The hosts to allow. Pass ``HostPolicy/any`` to load from every public address.
  public static func server(allowing hosts: HostPolicy) -> Self {
    var network = CurlLoader.Configuration.server
    network.hostPolicy = hosts
    var configuration = Self()
    configuration.dataLoader = SchemeLoader(network: CurlLoader(network), file: nil, data: nil)
    configuration.dataCache = nil
    configuration.imageCache = ImageCache()
    configuration.decoderRegistry = ImageDecoderRegistry()
    configuration.loadLimits = .server
    configuration.decodingLimits = .server
    #if os(Linux)
      configuration.decodingIsolation = .process()
    #endif
    configuration.decodingByteBudget = min(configuration.decodingByteBudget, 256 << 20)
    configuration.encodingWidth = configuration.decodingWidth
    configuration.loadingWidth = 64
    configuration.loadingWidthPerHost = 16
    configuration.loadedByteBudget = 16 << 20
    configuration.storingByteBudget = 16 << 20
    configuration.recentByteLimit = 8 << 20
    return configuration
  }
}

extension LoadLimits {
  fileprivate static var server: LoadLimits {
    var limits = LoadLimits()
    limits.maximumByteCount = 16 << 20
    limits.maximumHeadByteCount = 32 << 10
    limits.maximumRedirectCount = 3
    limits.connectTimeout = .seconds(5)
    limits.firstByteTimeout = .seconds(10)
    limits.idleTimeout = .seconds(10)
    limits.totalTimeout = .seconds(30)
    return limits
  }
}

extension DecodingLimits {
  fileprivate static var server: DecodingLimits {
    var limits = DecodingLimits()
    limits.maximumEncodedBytes = 16 << 20
    limits.maximumPixels = 25_000_000
    limits.maximumDecodedBytes = 128 << 20
    limits.maximumWorkingBytes = 192 << 20
    limits.maximumFrames = 200
    limits.deadline = .seconds(5)
    return limits
  }
}
