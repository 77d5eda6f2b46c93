public import Foundation

/// An object store that speaks S3.
public struct S3Endpoint: Sendable {
  /// Where the name of a bucket is put in a URL.
  public enum BucketStyle: Sendable, Hashable {
    /// `https://bucket.s3.example/key`. Over TLS, a bucket whose name has a dot is put in the path, because the certificate
    /// of a store is not valid for such a host.
    case host
    /// `https://s3.example/bucket/key`.
    case path
  }

  /// The address of the store, of the scheme `http` or `https`, without a path.
  public var url: URL
  /// The region, which is part of the signature.
  public var region: String
  /// Where the name of a bucket is put.
  public var style: BucketStyle
  /// The credentials to sign with.
  public var credentials: S3CredentialsSource

  /// Creates an endpoint for any object store that speaks S3, such as MinIO or Ceph.
  ///
  /// - Parameters:
  ///   - url: The address of the store.
  ///   - region: The region. Most stores other than AWS accept the default.
  ///   - style: Where the name of a bucket is put.
  ///   - credentials: The credentials to sign with.
  public init(
    url: URL, region: String = "us-east-1", style: BucketStyle = .path,
    credentials: S3CredentialsSource = .environment
  ) {
    (self.url, self.region, self.style, self.credentials) = (url, region, style, credentials)
  }

  /// Creates an endpoint for S3 of AWS.
  public static func aws(region: String, credentials: S3CredentialsSource = .environment) -> S3Endpoint {
    var parts = URLComponents()
    // The regions of China have a domain of their own.
    let domain = region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
    (parts.scheme, parts.host) = ("https", "s3.\(region).\(domain)")
    // Such a URL cannot fail to be made: a region that has no place in a host is refused when it is used.
    return S3Endpoint(
      url: parts.url ?? URL(filePath: "/"), region: region, style: .host, credentials: credentials)
  }
}

extension S3Endpoint {
  /// An address in the store, as it is sent and signed.
  package struct Address {
    package var scheme: String
    /// With the port, unless it is that of the scheme.
    package var host: String
    /// Percent-encoded.
    package var path: String
    /// Decoded, in any order.
    package var query: [(name: String, value: String)] = []

    var canonicalQuery: String {
      query.map { "\(S3Text.encode($0.name))=\(S3Text.encode($0.value))" }.sorted().joined(separator: "&")
    }

    package var url: URL? {
      URL(string: "\(scheme)://\(host)\(path)\(query.isEmpty ? "" : "?\(canonicalQuery)")")
    }
  }

  private var authority: String? {
    // The host of a `URL` lacks the brackets of IPv6.
    let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      let host = parts?.encodedHost?.lowercased(), !host.isEmpty
    else { return nil }
    guard let port = url.port, port != (scheme == "https" ? 443 : 80) else { return host }
    return "\(host):\(port)"
  }

  /// The address of an object, or of the bucket for an empty key. `nil` if the endpoint or the name of the bucket is not valid.
  package func address(
    bucket: String, key: String, query: [(name: String, value: String)] = []
  ) -> Address? {
    guard let authority, S3Text.isBucket(bucket) else { return nil }
    let scheme = url.scheme?.lowercased() ?? ""
    let path = "/" + S3Text.encode(key, keeping: "/")
    // The star of a certificate for `*.s3.example` stands for one label.
    if style == .host, scheme == "http" || !bucket.contains(".") {
      return Address(scheme: scheme, host: "\(bucket).\(authority)", path: path, query: query)
    }
    return Address(scheme: scheme, host: authority, path: "/\(bucket)\(path)", query: query)
  }

  /// What a URL addresses.
  package enum Place {
    /// An `s3:` URL, or one of this endpoint.
    case here(Address)
    /// An `s3:` URL without a bucket, a path that HTTP clients change, or text that is not UTF-8.
    case invalid
    /// Also a URL of this endpoint that is signed already.
    case elsewhere
  }

  /// Returns what a URL addresses in this store.
  package func place(of other: URL) -> Place {
    guard let parts = URLComponents(url: other, resolvingAgainstBaseURL: true),
      let scheme = parts.scheme?.lowercased()
    else { return .elsewhere }
    let query = (parts.queryItems ?? []).map { (name: $0.name, value: $0.value ?? "") }
    let path = String(parts.path.dropFirst())
    // A client removes such segments: then the request is for another object than the one that was signed.
    let isStable = !path.split(separator: "/").contains { $0 == "." || $0 == ".." }
    // Otherwise the decoded path is empty, which is the bucket, and so is the value of a parameter.
    let isText =
      parts.percentEncodedPath.removingPercentEncoding != nil
      && (parts.percentEncodedQuery ?? "").removingPercentEncoding != nil
    if scheme == "s3" {
      guard isStable, isText, let address = address(bucket: parts.host ?? "", key: path, query: query) else {
        return .invalid
      }
      return .here(address)
    }
    guard let authority, scheme == url.scheme?.lowercased(), let host = parts.encodedHost?.lowercased() else {
      return .elsewhere
    }
    let named = parts.port.map { $0 == (scheme == "https" ? 443 : 80) ? host : "\(host):\($0)" } ?? host
    guard named == authority || style == .host && named.hasSuffix(".\(authority)") else { return .elsewhere }
    // A store refuses a second signature.
    guard !query.contains(where: { $0.name.lowercased() == "x-amz-signature" }) else { return .elsewhere }
    guard isStable, isText else { return .invalid }
    return .here(
      Address(scheme: scheme, host: named, path: "/" + S3Text.encode(path, keeping: "/"), query: query))
  }
}

/// The encoding of S3's signatures.
enum S3Text {
  private static let unreserved = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

  static func encode(_ text: String, keeping kept: String = "") -> String {
    let kept = Set(kept.utf8)
    var encoded: [UInt8] = []
    for byte in text.utf8 {
      if unreserved.contains(byte) || kept.contains(byte) {
        encoded.append(byte)
      } else {
        encoded += Array("%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))".utf8)
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Names of buckets are lower-case names of hosts.
  static func isBucket(_ name: String) -> Bool {
    (3...63).contains(name.utf8.count) && !name.hasPrefix(".") && !name.contains("..")
      && name.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || [0x2D, 0x2E].contains(byte)
      }
  }
}
