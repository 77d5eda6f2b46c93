import Foundation
import Hummingbird
import HummingbirdTesting
import StreamImages
import Testing
import ThumbnailServer

/// The signature of a text as imgproxy documents it, by the command line of OpenSSL.
private func openSSLSignature(of text: String, key: String, salt: String) throws -> String {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = ["openssl", "dgst", "-sha256", "-mac", "HMAC", "-macopt", "hexkey:\(key)", "-binary"]
  let (input, output) = (Pipe(), Pipe())
  (process.standardInput, process.standardOutput) = (input, output)
  try process.run()
  let saltBytes = stride(from: 0, to: salt.count, by: 2).compactMap { offset in
    UInt8(salt.dropFirst(offset).prefix(2), radix: 16)
  }
  try input.fileHandleForWriting.write(contentsOf: Data(saltBytes) + Data(text.utf8))
  try input.fileHandleForWriting.close()
  let digest = try output.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  return digest.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
    .replacing("=", with: "")
}

@Suite("A signed URL", .timeLimit(.minutes(5)))
struct SigningTests {
  private static let keys = ["943b421c9eb07c83", "00112233445566778899aabbccddeeff"]
  private static let salts = ["520f986b998545b4", "aa"]

  private func settings(_ change: (inout Thumbnails.Settings) -> Void = { _ in })
    -> (inout Thumbnails.Settings) -> Void
  {
    { $0.keys = try! SigningKeys(keys: Self.keys, salts: Self.salts) }
  }

  @Test("is the HMAC-SHA-256 of salt and text that OpenSSL computes", arguments: [0, 1])
  func vectors(_ number: Int) throws {
    let (key, salt) = (Self.keys[number], Self.salts[number])
    let signer = try SigningKeys(keys: [key], salts: [salt])
    for text in [
      "/rs:fit:300:300/plain/http://img.example.com/pretty/image.jpg", "/thumb?url=x&w=1", "", "/ü",
    ] {
      let expected = try openSSLSignature(of: text, key: key, salt: salt)
      #expect(expected.utf8.count == 43)
      #expect(signer.signature(of: text) == expected)
    }
  }

  @Test("is served if any of the keys made its signature", arguments: [0, 1])
  func rotation(_ number: Int) async throws {
    try await withServers(settings()) { client, origin, _ in
      let path = "/thumb?url=\(origin)/image.png&w=10"
      let signature = try openSSLSignature(of: path, key: Self.keys[number], salt: Self.salts[number])
      let answer = try await client.execute(uri: "\(path)&sig=\(signature)", method: .get) { $0.status }

      #expect(answer == .ok)
    }
  }

  @Test("is refused if its signature is missing or made for something else, and the origin is not asked")
  func wrong() async throws {
    try await withServers(settings()) { client, origin, server in
      let path = "/thumb?url=\(origin)/image.png&w=10"
      let signature = try openSSLSignature(of: path, key: Self.keys[0], salt: Self.salts[0])
      let unsalted = try openSSLSignature(of: path, key: Self.keys[0], salt: "")
      for (uri, code) in [
        (path, "server.unsigned"), ("\(path)&sig=", "server.unsigned"),
        ("\(path)0&sig=\(signature)", "server.wrong-signature"),
        ("\(path)&sig=\(unsalted)", "server.wrong-signature"),
        ("\(path)&sig=\(signature.dropLast())", "server.wrong-signature"),
        ("\(path)&sig=\(signature.dropLast())_", "server.wrong-signature"),
        ("\(path)&sig=\(signature)&h=5", "server.unsigned"),
        (path.replacing("/thumb", with: "/info") + "&sig=\(signature)", "server.wrong-signature"),
      ] {
        let answer = try await client.execute(uri: uri, method: .get) { $0 }
        #expect(answer.status == .forbidden && String(buffer: answer.body) == code + "\n", "\(uri)")
      }
      #expect(server.requests == [])
    }
  }

  @Test("is refused after its time, and until then is kept no longer than that")
  func expiry() async throws {
    try await withServers { client, origin, _ in
      let now = Int(Date().timeIntervalSince1970)
      let late = try await client.thumbnail("url=\(origin)/image.png&w=10&expires=\(now - 1)")
      let soon = try await client.thumbnail("url=\(origin)/image.png&w=10&expires=\(now + 1000)")

      #expect(late.status == .gone && String(buffer: late.body) == "server.expired\n")
      #expect(soon.status == .ok)
      let age = soon.headers[.cacheControl].flatMap { $0.split(separator: "=").last }.flatMap { Int($0) } ?? 0
      #expect((900...1000).contains(age))
    }
  }

  @Test("of imgproxy is read with its options, plain or in base64url, and its signature is checked")
  func imgproxy() async throws {
    try await withServers {
      settings()(&$0)
      $0.readsImgproxyPaths = true
    } _: { client, origin, _ in
      let encoded = Data("\(origin)/quarters.png".utf8).base64EncodedString()
        .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
      let divided = encoded.prefix(10) + "/" + encoded.dropFirst(10)
      let escaped =
        "\(origin)/quarters.png".addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      for (path, format, size) in [
        ("/rs:fill:50:40/plain/\(origin)/quarters.png@png", "image/png", PixelSize(width: 50, height: 40)),
        ("/rs:fit:50:50/f:webp/plain/\(escaped)", "image/webp", PixelSize(width: 50, height: 25)),
        ("/w:50/rot:90/\(encoded).jpg", "image/jpeg", PixelSize(width: 50, height: 100)),
        ("/\(divided).png", "image/png", PixelSize(width: 400, height: 200)),
      ] {
        let signature = try openSSLSignature(of: path, key: Self.keys[0], salt: Self.salts[0])
        let answer = try await client.execute(uri: "/\(signature)\(path)", method: .get) { $0 }
        let forged = try await client.execute(uri: "/\(signature)/w:1\(path)", method: .get) { $0.status }

        #expect(answer.status == .ok && answer.headers[.contentType] == format, "\(path)")
        #expect(try ImageDecoder.decode(answer.body.readableBytesView).size == size, "\(path)")
        #expect(forged == .forbidden)
      }
    }
  }

  @Test("may have a shorter signature if the settings say so, and keys that are no keys are an error")
  func keys() throws {
    let whole = try SigningKeys(keys: [Self.keys[0]], salts: [""]).signature(of: "/a") ?? ""
    let short = try SigningKeys(keys: [Self.keys[0]], salts: [""], byteCount: 6)

    #expect(short.signature(of: "/a") == String(whole.prefix(8)))
    #expect(short.isValid(String(whole.prefix(8)), of: "/a") && !short.isValid(whole, of: "/a"))
    for (keys, salts, count) in [
      (["zz"], ["aa"], 32), (["a"], ["aa"], 32), (["aa"], [], 32), (["aa"], ["aa"], 33), ([""], [""], 32),
    ] {
      #expect(throws: ConfigurationError.self) {
        try SigningKeys(keys: keys, salts: salts, byteCount: count)
      }
    }
  }
}

@Suite("A path of imgproxy")
struct ImgproxyPathTests {
  @Test(
    "has the options of a query",
    arguments: [
      ("rs:fill:300:200:1", "enlarge=1&fit=cover&h=200&w=300"), ("s:10:0", "w=10"), ("w:5/w:6", "w=6"),
      ("rs:fit:30:20:0:1", "fit=fill&h=20&w=30"), ("ex:1/rs:fit:30:20", "fit=fill&h=20&w=30"),
      ("ex:1/ex:0", ""), ("ex:1/rt:fill/ex:0", "fit=cover"), ("rt:fill/rt:fit/ex:1", "fit=fill"),
      ("g:no", "gravity=top"), ("g:fp:0.1:0.9", "focus=0.1,0.9"),
      ("g:sm", "gravity=attention"), ("c:10:20:soea", "crop=10,20,bottom-right"), ("rot:90", "rotate=90"),
      ("fl:1:1", "flip=hv"), ("bl:2/sh:0.5", "blur=2&sharpen=0.5"), ("bg:255:136:0", "bg=ff8800"),
      ("bg:ff8800", "bg=ff8800"), ("wm:0.5", "wm=0.5"), ("q:70/f:jpg", "format=jpeg&q=70"),
      ("pr:a:b", "preset=a,b"), ("cb:7", "v=7"), ("exp:123", "expires=123"), ("dpr:2", "dpr=2"),
      ("t:51", "trim=0.2"), ("pd:1:2", "pad=1,2"), ("pix:4", "pixelate=4"), ("q:0/bl:0", ""),
      ("ar:1/sm:1", ""),
    ])
  func options(_ options: String, _ query: String) throws {
    let path = try ImgproxyPath("/sig/\(options)/plain/http://a/b")
    let names = OptionList.names.union(["v", "expires"])
    let read = names.sorted().compactMap { name in path.options[name].map { "\(name)=\($0)" } }

    #expect(read.joined(separator: "&") == query)
    #expect(path.options["url"] == "http://a/b")
    #expect(path.signedText == "/\(options)/plain/http://a/b")
  }

  @Test(
    "that asks for what the server cannot do is refused",
    arguments: [
      "/sig/rs:force:1:1/plain/http://a/b", "/sig/rs:auto:1:1/plain/http://a/b",
      "/sig/g:no:5/plain/http://a/b",
      "/sig/zoom:2/plain/http://a/b", "/sig/sm:0/plain/http://a/b", "/sig/w:1", "/sig", "/", "",
      "/sig/plain/",
      "/sig/*", "/sig/c:1/plain/http://a/b", "/sig/bg:1:2:300/plain/http://a/b", "/sig/w/plain/http://a/b",
      "/sig/wm:1:ce/plain/http://a/b", "/sig/ex:1:no/plain/http://a/b", "/sig/t:300/plain/http://a/b",
      "/sig/t:1:ffffff/plain/http://a/b",
      "/sig/rs:fill:1:1:0:1/plain/http://a/b", "/sig/ex:1/rs:fill:1:1/plain/http://a/b",
      "/sig/ex:1/rt:fill/plain/http://a/b", "/sig/rt:fill/ex:1/plain/http://a/b",
    ])
  func refusals(_ path: String) {
    #expect(throws: Refusal.self) { try ImgproxyPath(path) }
  }
}
