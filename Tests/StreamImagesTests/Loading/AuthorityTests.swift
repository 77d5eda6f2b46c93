import StreamImages
import Testing

@Suite("`Authority`")
struct AuthorityTests {
  @Test(
    "An authority that programs could parse in two ways is not valid",
    arguments: [
      ("a", true), ("a:80", true), ("a:", true), ("u@a", true), ("u@a:80", true), ("u:p@a", true),
      ("u@v@a", false), ("u@v@a:80", false), ("", false), (":80", false), ("u@", false),
      ("[::1]", true), ("[::1]:80", true), ("[::1", false), ("::1]", false), ("[a", false), ("a]", false),
      ("[[::1]]", false), ("[:[:1]", false), ("a[b", false), ("a]b", false), ("[", false), ("]", false),
      ("a%2e", true), ("a%af", true), ("a%FA", true), ("a%ag", false), ("a%`0", false), ("a%2", false),
      ("a%zz", false), ("a%", false), ("[fe80::1%eth0]", true),
      ("a:0", false), ("a:1", true), ("a:65535", true), ("a:65536", false), ("a:+1", false), ("a:x", false),
    ])
  func validity(_ row: (text: String, isValid: Bool)) {
    #expect(Authority(row.text).isValid == row.isValid, "\(row.text)")
  }

  @Test(
    "User, host and port of an authority are found, and a port of more than nine digits is none",
    arguments: [
      ("A", nil, "a", nil), ("u:p@A:80", "u:p", "a", 80), ("[::A]:8", nil, "[::a]", 8), ("a:", nil, "a", nil),
      ("a:999999999", nil, "a", 999_999_999), ("a:1000000000", nil, "a", nil), ("u@v@a", "u@v", "a", nil),
    ] as [(String, String?, String, Int?)])
  func parts(_ row: (text: String, user: String?, host: String, port: Int?)) {
    let authority = Authority(row.text)

    #expect(authority.user == row.user)
    #expect(authority.host == row.host)
    #expect(authority.port == row.port)
    #expect(authority.withoutUser == row.host + (row.port.map { ":\($0)" } ?? ""))
  }
}
