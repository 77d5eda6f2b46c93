import StreamImages
import Testing

@Suite("`CanonicalBytes`")
struct CanonicalBytesTests {
  /// A number as eight bytes, the least significant first.
  private func number(_ value: UInt8) -> [UInt8] { [value, 0, 0, 0, 0, 0, 0, 0] }

  private func field(_ text: String) -> [UInt8] { number(UInt8(text.utf8.count)) + Array(text.utf8) }

  @Test("Each field has its length before it, an optional one whether it is there, and a list its count")
  func layout() {
    var canonical = CanonicalBytes("kind")
    canonical.append("é")
    canonical.append("")
    canonical.append(nil)
    canonical.append("" as String?)
    canonical.append("a" as String?)
    canonical.append([])
    canonical.append(["b", "cd"])

    let texts = [field("kind"), field("é"), field("")]
    let optionals = [number(0), number(1) + field(""), number(1) + field("a")]
    let lists = [number(0), number(2) + field("b") + field("cd")]
    #expect(canonical.bytes == Array((texts + optionals + lists).joined()))
  }
}
