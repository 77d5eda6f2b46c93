package import Foundation
package import StreamImages

/// AWS Signature Version 4, in a header.
package struct S3Signature {
  let credentials: S3Credentials
  let region: String
  let time: Date

  package init(credentials: S3Credentials, region: String, time: Date) {
    (self.credentials, self.region, self.time) = (credentials, region, time)
  }

  /// Adds the headers of a signature. Signed are the host, each header that begins with `x-amz-`, and those of `others`.
  package func sign(
    _ headers: inout HeaderFields, method: String, address: S3Endpoint.Address, body: Data,
    others: Set<String> = []
  ) {
    let hash = Digest.hex(Digest.sha256(body))
    let stamp = Self.stamp(time)
    headers.replace("x-amz-date", with: stamp)
    headers.replace("x-amz-content-sha256", with: hash)
    if let token = credentials.sessionToken {
      headers.replace("x-amz-security-token", with: token, isSecret: true)
    }
    // A store trims values, collapses their spaces, and joins those of the same name.
    let signed = headers.map {
      (
        name: $0.name.lowercased(),
        value: $0.value.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      )
    }
    .filter { $0.name.hasPrefix("x-amz-") || others.contains($0.name) }
    .reduce(into: ["host": [address.host]]) { $0[$1.name, default: []].append($1.value) }
    .mapValues { $0.joined(separator: ",") }
    .sorted { $0.key < $1.key }
    let names = signed.map(\.key).joined(separator: ";")
    let request = [
      method, address.path, address.canonicalQuery,
      signed.map { "\($0.key):\($0.value)\n" }.joined(), names, hash,
    ].joined(separator: "\n")
    let day = String(stamp.prefix(8))
    let scope = "\(day)/\(region)/s3/aws4_request"
    let text = ["AWS4-HMAC-SHA256", stamp, scope, Digest.hex(Digest.sha256(Data(request.utf8)))].joined(
      separator: "\n")
    let key = [day, region, "s3", "aws4_request"].reduce(Array("AWS4\(credentials.secretKey)".utf8)) {
      Digest.hmac($1, key: $0)
    }
    let signature = Digest.hex(Digest.hmac(text, key: key))
    headers.replace(
      "Authorization",
      with:
        "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope),SignedHeaders=\(names),Signature=\(signature)",
      isSecret: true)
  }

  /// Such as `20130524T000000Z`.
  private static func stamp(_ time: Date) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: time)
    func digits(_ value: Int?, _ count: Int = 2) -> String {
      let text = "\(value ?? 0)"
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    return "\(digits(parts.year, 4))\(digits(parts.month))\(digits(parts.day))T"
      + "\(digits(parts.hour))\(digits(parts.minute))\(digits(parts.second))Z"
  }
}
