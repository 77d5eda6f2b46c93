import StreamImages
import Testing

@Suite struct PhotoNameTests {
  private func name(_ wish: String, at time: Int = 0) -> String {
    PhotoName(wish, fileExtension: "jpg", at: time).numbered(1)
  }

  @Test(
    "A file is named as it was wished, without what a file name must not have",
    arguments: [
      ("beach", "beach.jpg"), ("beach.jpg", "beach.jpg"), ("beach.JPG", "beach.jpg"),
      ("beach.jpeg", "beach.jpeg.jpg"), ("beach.jpg.jpg", "beach.jpg.jpg"), ("jpg", "jpg.jpg"),
      (".beach", "beach.jpg"), (" beach", "beach.jpg"), (". .beach", "beach.jpg"),
      ("\u{A0}.beach", "beach.jpg"),
      (".\u{3000}..beach", "beach.jpg"), ("\t.beach", "-.beach.jpg"), ("beach.", "beach..jpg"),
      ("beach ", "beach.jpg"), ("a b.c", "a b.c.jpg"), ("a/b", "a-b.jpg"), ("/", "-.jpg"),
      ("a\u{0}b", "a-b.jpg"), ("a\u{1F}b", "a-b.jpg"), ("a\u{20}b", "a b.jpg"), ("a\u{7E}b", "a~b.jpg"),
      ("a\u{7F}b", "a-b.jpg"), ("a\u{9F}b", "a-b.jpg"), ("a\u{A1}b", "a¡b.jpg"), ("a\u{2028}b", "a-b.jpg"),
      ("a\u{2029}b", "a-b.jpg"), ("a\u{202A}b", "a\u{202A}b.jpg"), ("été", "été.jpg"), ("海", "海.jpg"),
    ])
  func wishes(_ wish: String, _ expected: String) {
    #expect(name(wish) == expected)
  }

  @Test("A name has at most 200 bytes before number and extension, and ends with a whole character")
  func long() {
    for (character, size) in [("a", 1), ("é", 2), ("海", 3), ("🏖", 4)] {
      let count = 200 / size

      #expect(name(String(repeating: character, count: count)).utf8.count == count * size + 4)
      #expect(
        name(String(repeating: character, count: count + 1))
          == String(repeating: character, count: count) + ".jpg")
    }
    #expect(name(String(repeating: "a", count: 199) + "é") == String(repeating: "a", count: 199) + ".jpg")
  }

  @Test(
    "A photo whose wish leaves nothing is named by its time in UTC, each part with two digits",
    arguments: [
      (0, "1970-01-01 00.00.00"), (-1, "1969-12-31 23.59.59"), (34_218 + 8 * 86_400, "1970-01-09 09.30.18"),
      (1_798_761_599, "2026-12-31 23.59.59"), (1_709_204_949, "2024-02-29 11.09.09"),
      (1_791_975_010, "2026-10-14 10.50.10"),
    ])
  func times(_ time: Int, _ text: String) {
    for wish in ["", ".", " ", "...", ".jpg"] {
      #expect(name(wish, at: time) == "Photograph \(text).jpg")
    }
  }

  @Test("Every photo but the first of a name has its number before the extension")
  func numbers() {
    let name = PhotoName("beach", fileExtension: "png", at: 0)

    #expect([0, 1, 2, 10].map(name.numbered) == ["beach 0.png", "beach.png", "beach 2.png", "beach 10.png"])
  }

  @Test(
    "A plain name is that of a visible file of one directory",
    arguments: [
      ("", false), ("a", true), (".", false), ("..", false), (".a", false), ("a.", true), ("a/", false),
      ("/a", false), ("a/b", false), ("a\u{0}b", false), ("a\u{1}b", true), ("a.b", true), ("/", false),
      ("\u{0}", false), ("-", true), ("0", true),
    ])
  func plain(_ name: String, _ isPlain: Bool) {
    #expect(PhotoName.isPlain(name) == isPlain)
  }
}
