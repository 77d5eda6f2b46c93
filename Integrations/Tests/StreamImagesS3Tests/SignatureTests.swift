import Foundation
import StreamImages
import StreamImagesS3
import StreamImagesTesting
import Testing

/// The examples of the documentation of S3, with the signatures that are printed there.
@Suite("Signatures of S3 requests")
struct SignatureTests {
  private let endpoint = S3Endpoint(
    url: URL(string: "https://s3.amazonaws.com")!, style: .host, credentials: .anonymous)
  private let signature = S3Signature(
    credentials: S3Credentials(
      accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
    region: "us-east-1", time: Date(timeIntervalSince1970: 1_369_353_600))

  @Test("An object is read with the documented signature")
  func get() throws {
    let signed = try sign("GET", "test.txt", headers: ["Range": "bytes=0-9"], others: ["range"])

    #expect(signed["x-amz-date"] == "20130524T000000Z")
    #expect(
      signed["Authorization"]
        == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
        + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,"
        + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
  }

  @Test("An object is written with the documented signature")
  func put() throws {
    let signed = try sign(
      "PUT", "test$file.text",
      headers: ["Date": "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY"],
      body: Data("Welcome to Amazon S3.".utf8), others: ["date"])

    #expect(
      signed["Authorization"]?.hasSuffix("98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
        == true)
  }

  @Test("A query without a value and one with two parameters have the documented signatures")
  func queries() throws {
    let lifecycle = try sign("GET", "", query: [("lifecycle", "")])
    let list = try sign("GET", "", query: [("prefix", "J"), ("max-keys", "2")])

    #expect(
      lifecycle["Authorization"]?.hasSuffix(
        "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543") == true)
    #expect(
      list["Authorization"]?.hasSuffix("34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
        == true)
  }

  /// The store of the other tests refuses such keys, also those that its own client signs.
  @Test("A key with characters that are encoded has the signature of botocore 1.43")
  func encoding() throws {
    let signed = try sign("GET", "ein Bild+ä/a%b&c=.png")

    #expect(
      signed["Authorization"]?.hasSuffix("9a7604b38b1c83cf721a406967663d38ceaea8fc012af86649781778c7d5b4d9")
        == true)
  }

  @Test("A header with several spaces or several values is signed as the store reads it")
  func canonicalHeaders() throws {
    func signed(_ values: String...) throws -> String? {
      var headers = HeaderFields()
      for value in values { headers.append("X-Amz-Meta-Title", value) }
      return try sign("GET", "test.txt", headers: headers)["Authorization"]
    }

    #expect(try signed(" A  title\twith   spaces ") == signed("A title with spaces"))
    #expect(try signed("one", "two  words") == signed("one,two words"))
    #expect(try signed("two words", "one") != signed("one,two words"))
  }

  @Test("The headers of a signature are secret, and a session token is signed")
  func secrets() throws {
    let signature = S3Signature(
      credentials: S3Credentials(accessKey: "A", secretKey: "B", sessionToken: "C"), region: "x", time: Date()
    )
    var headers = HeaderFields()
    let address = try #require(endpoint.address(bucket: "photos", key: "a"))

    signature.sign(&headers, method: "GET", address: address, body: Data())

    #expect(headers["Authorization"]?.contains("x-amz-security-token") == true)
    #expect(
      Set(headers.filter(\.isSecret).map { $0.name.lowercased() }) == [
        "authorization", "x-amz-security-token",
      ])
  }

  private func sign(
    _ method: String, _ key: String, query: [(name: String, value: String)] = [],
    headers: HeaderFields = HeaderFields(), body: Data = Data(), others: Set<String> = []
  ) throws -> HeaderFields {
    let address = try #require(endpoint.address(bucket: "examplebucket", key: key, query: query))
    var headers = headers
    signature.sign(&headers, method: method, address: address, body: body, others: others)
    return headers
  }
}

@Suite("Addresses of S3 objects")
struct AddressTests {
  private let path = S3Endpoint(url: URL(string: "http://127.0.0.1:9000")!, credentials: .anonymous)
  private let host = S3Endpoint(
    url: URL(string: "https://s3.example")!, style: .host, credentials: .anonymous)

  @Test(
    "An `s3:` URL is an address in the endpoint, in both styles",
    arguments: [
      ("s3://photos/a.png", "http://127.0.0.1:9000/photos/a.png", "https://photos.s3.example/a.png"),
      (
        "s3://photos/a%20b+c", "http://127.0.0.1:9000/photos/a%20b%2Bc", "https://photos.s3.example/a%20b%2Bc"
      ),
      ("s3://photos/%C3%A4/b", "http://127.0.0.1:9000/photos/%C3%A4/b", "https://photos.s3.example/%C3%A4/b"),
      (
        "s3://photos/a?versionId=x%2Fy", "http://127.0.0.1:9000/photos/a?versionId=x%2Fy",
        "https://photos.s3.example/a?versionId=x%2Fy"
      ),
    ])
  func styles(url: String, inPath: String, inHost: String) throws {
    let url = try #require(URL(string: url))

    #expect(self.address(url, path) == inPath)
    #expect(self.address(url, host) == inHost)
  }

  @Test("A URL of the endpoint is signed, and one of another host or scheme is not")
  func belonging() throws {
    func belongs(_ url: String, _ endpoint: S3Endpoint) -> Bool {
      address(URL(string: url)!, endpoint) != nil
    }

    #expect(belongs("http://127.0.0.1:9000/photos/a.png", path))
    #expect(!belongs("http://127.0.0.1:9001/photos/a.png", path))
    #expect(!belongs("https://127.0.0.1:9000/photos/a.png", path))
    #expect(belongs("https://photos.s3.example/a.png", host))
    #expect(belongs("https://photos.s3.example:443/a.png", host))
    #expect(!belongs("https://photos.s3.example.evil/a.png", host))
    #expect(!belongs("https://evils3.example/a.png", host))
  }

  @Test(
    "A name that is no bucket, and a path that leads out of one, are refused",
    arguments: [
      "s3:///a", "s3://ab/c", "s3://user%40photos/a", "s3://a..b/c", "s3://photos/a/../../other/b",
      "s3://photos/%2E%2E/other",
      "http://127.0.0.1:9000/photos/%2e%2e/other",
    ])
  func buckets(url: String) async throws {
    let loader = S3Loader(path)
    let request = DataRequest(url: try #require(URL(string: url)))

    let error = await #expect(throws: DataLoadingError.self) { try await loader.data(for: request) }

    #expect(error?.code == DataLoadingError.badURL("").code)
  }

  @Test(
    "A bucket with a dot in its name is in the path over TLS, because no certificate is valid for its host")
  func dots() throws {
    let url = try #require(URL(string: "s3://images.example.com/a.png"))
    let plain = S3Endpoint(
      url: try #require(URL(string: "http://s3.test")), style: .host, credentials: .anonymous)

    #expect(
      address(url, .aws(region: "eu-central-1", credentials: .anonymous))
        == "https://s3.eu-central-1.amazonaws.com/images.example.com/a.png")
    #expect(address(url, plain) == "http://images.example.com.s3.test/a.png")
  }

  @Test("AWS in China is at the domain of China")
  func china() throws {
    let url = try #require(URL(string: "s3://photos/a.png"))

    #expect(
      address(url, .aws(region: "cn-north-1", credentials: .anonymous))
        == "https://photos.s3.cn-north-1.amazonaws.com.cn/a.png")
  }

  @Test("A store at an IPv6 address is found, and its own URLs are signed")
  func ipv6() throws {
    let store = S3Endpoint(url: try #require(URL(string: "http://[::1]:9000")), credentials: .anonymous)
    let own = "http://[::1]:9000/photos/a.png"

    #expect(address(try #require(URL(string: "s3://photos/a.png")), store) == own)
    #expect(address(try #require(URL(string: own)), store) == own)
  }

  @Test("A URL of the store that is signed already is loaded as it is, because a second signature is refused")
  func presigned() async throws {
    let credentials = S3Credentials(accessKey: "a", secretKey: "b")
    let store = S3Endpoint(
      url: try #require(URL(string: "https://s3.example")), credentials: S3CredentialsSource { credentials })
    let network = ScriptedLoader()
    let url = try #require(
      URL(string: "https://s3.example/photos/a+b.png?X-Amz-Expires=60&X-Amz-Signature=0f&X-Amz-Date=x"))
    network.answer(url, with: Data("a".utf8))

    _ = try await S3Loader(store, loader: network).data(for: DataRequest(url: url))

    #expect(network.requests.map(\.url) == [url])
    #expect(network.requests.first?.headers["Authorization"] == nil)
  }

  @Test(
    "A URL that is not UTF-8 is refused, and not sent as one of the bucket or of another version",
    arguments: ["s3://photos/%FF.png", "s3://photos/a?versionId=%FF", "http://127.0.0.1:9000/photos/%FF"])
  func notText(url: String) async throws {
    let network = ScriptedLoader()
    let request = DataRequest(url: try #require(URL(string: url)), method: .delete)

    let error = await #expect(throws: DataLoadingError.self) {
      try await S3Loader(path, loader: network).data(for: request)
    }

    #expect(error?.code == DataLoadingError.badURL("").code)
    #expect(network.requests.isEmpty)
  }

  private func address(_ url: URL, _ endpoint: S3Endpoint) -> String? {
    if case .here(let address) = endpoint.place(of: url) { address.url?.absoluteString } else { nil }
  }
}
