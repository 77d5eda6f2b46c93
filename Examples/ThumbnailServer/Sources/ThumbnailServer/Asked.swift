internal import Foundation
internal import Hummingbird

/// A request for a thumbnail or for a description, as it was written.
struct Asked {
  enum Endpoint {
    case thumbnail, description, imgproxy
  }

  let endpoint: Endpoint
  /// Before presets are applied.
  let options: OptionList
  /// What a signature is for.
  private let signedText: String
  private let signature: String?

  init(_ request: Request, _ endpoint: Endpoint) throws(Refusal) {
    self.endpoint = endpoint
    guard endpoint != .imgproxy else {
      let path = try ImgproxyPath(request.uri.path)
      (options, signedText, signature) = (path.options, path.signedText, path.signature)
      return
    }
    let parameters = request.uri.queryParameters
    options = try OptionList(parameters.map { (name: String($0.key), value: String($0.value)) })
    // The signature is of all that comes before it, as it was sent.
    let text = request.uri.string
    if let mark = text.range(of: "&sig=", options: .backwards), !text[mark.upperBound...].contains("&") {
      (signedText, signature) = (String(text[..<mark.lowerBound]), String(text[mark.upperBound...]))
    } else {
      (signedText, signature) = (text, nil)
    }
  }

  /// The options, with those of presets.
  ///
  /// - Throws: A refusal unless the signature is valid, the time has not come that `expires` names, and the options are allowed.
  func verifiedOptions(_ settings: Thumbnails.Settings, now: Date = Date()) throws(Refusal) -> OptionList {
    if !settings.keys.isEmpty {
      guard let signature, !signature.isEmpty else { throw .unsigned }
      guard settings.keys.isValid(signature, of: signedText) else { throw .wrongSignature }
    }
    if let end = try expiration, end <= Int(now.timeIntervalSince1970) { throw .expired }
    return try settings.options.apply(to: self.options)
  }

  /// How long it is until the URL ends, in seconds; `Int.max` of one that does not end.
  func rest(now: Date = Date()) -> Int {
    guard let end = try? expiration else { return .max }
    return max(0, end - Int(now.timeIntervalSince1970))
  }

  /// In seconds since 1970.
  private var expiration: Int? {
    get throws(Refusal) { try options.value("expires", { text in Int(text).flatMap { $0 > 0 ? $0 : nil } }) }
  }
}
