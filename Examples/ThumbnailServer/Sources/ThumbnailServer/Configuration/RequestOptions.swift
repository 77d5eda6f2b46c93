internal import ArgumentParser
internal import StreamImages

struct RequestOptions: ParsableArguments {
  @Option(
    help: "A key to sign URLs with, in hexadecimal digits. All keys are valid. Then no others are served.")
  var key: [String] = []

  @Option(help: "The salt of a key, in hexadecimal digits and in the order of the keys.")
  var salt: [String] = []

  @Option(help: "The length of a signature, in bytes.")
  var signatureSize = 32

  @Flag(help: "Also serves the paths of imgproxy, /SIGNATURE/rs:fill:300:200/plain/URL.")
  var imgproxy = false

  @Option(
    help:
      "A named list of options, such as small=w=320&h=200&fit=cover. That of the name default is always applied."
  )
  var preset: [String] = []

  @Option(help: "An option that clients may use, such as w or preset; by default all.")
  var allowOption: [String] = []

  @Option(help: "The longest side of a thumbnail, in pixels.")
  var maximumSide = 2048

  @Option(help: "Beyond so many requests at a time, others are answered with 503.")
  var requestLimit = 1024

  @Option(help: "Beyond so many requests for images of one host at a time, others are answered with 503.")
  var hostLimit = 128

  @Option(
    help:
      "Beyond so many requests of one client in a second, others are answered with 429; by default no limit.")
  var clientRate: Double?

  @Option(help: "So many requests a client may make at once; by default those of ten seconds.")
  var clientBurst: Double?

  @Flag(
    help: "Clients are told apart by the last address of X-Forwarded-For, which a proxy in front has set.")
  var behindProxy = false

  @Option(help: "How long a request may take, in seconds.")
  var deadline = 30

  func validate() throws {
    if let clientRate, !(clientRate > 0 && clientRate.isFinite) {
      throw ValidationError("A rate is greater than 0.")
    }
    if let clientBurst, !(clientBurst >= 1 && clientBurst.isFinite) {
      throw ValidationError("A burst has at least 1 request.")
    }
    guard requestLimit > 0, hostLimit > 0 else { throw ValidationError("A limit is greater than 0.") }
    guard (1...86_400).contains(deadline) else {
      throw ValidationError("A deadline has 1 to 86400 seconds.")
    }
    guard (1...65_535).contains(maximumSide) else { throw ValidationError("A side has 1 to 65535 pixels.") }
  }

  func apply(to settings: inout Thumbnails.Settings) throws {
    settings.keys = try SigningKeys(keys: key, salts: salt, byteCount: signatureSize)
    settings.readsImgproxyPaths = imgproxy
    for preset in preset {
      let parts = preset.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { throw ValidationError("\(preset) is not a preset.") }
      try settings.options.addPreset(parts[0], parts[1])
    }
    if !allowOption.isEmpty { try settings.options.allow(only: allowOption) }
    (settings.maximumSide, settings.requestLimit) = (maximumSide, requestLimit)
    (settings.hostLimit, settings.deadline) = (hostLimit, .seconds(deadline))
    settings.clientRate = clientRate.map { (perSecond: $0, burst: clientBurst ?? $0 * 10) }
    settings.isBehindProxy = behindProxy
  }
}
