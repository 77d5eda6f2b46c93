import ImageCodecs
import Testing

@Suite("Hostile SVG", .enabled(if: Drawing.isPossible, "librsvg is not there"))
struct HostileSVGTests {
  private func kind(_ text: String) -> String? {
    var limits = DecodingLimits()
    // Half a million elements take seconds, and longer where other processes work.
    limits.deadline = .seconds(120)
    let options = DecodingOptions(limits: limits)
    return
      (#expect(throws: ImageCodecError.self, "\(text.prefix(200))") {
        try Drawing.image(text, options: options)
      })?.kind
  }

  @Test("An SVG with entities is refused")
  func entities() {
    let bomb = (1...9).map { #"<!ENTITY e\#($0) "\#(String(repeating: "&e\($0 - 1);", count: 10))">"# }
      .joined()
    for declarations in [
      #"<!ENTITY e0 "lol">"# + bomb, #"<!ENTITY e0 SYSTEM "file:///etc/passwd">"#, #"<!entity e0 "a">"#,
      #"<!ENTITY % e0 SYSTEM "http://127.0.0.1/a.dtd"> %e0;"#,
    ] {
      let text = "<!DOCTYPE svg [\(declarations)]>" + Drawing.document("<text>&e9;</text>")
      #expect(kind(text) == "unsupportedFeature")
    }
  }

  @Test("An SVG with an embedded data URL is refused in every spelling")
  func embedded() {
    for address in [
      "data:image/png;base64,iVBORw0KGgo=", "DATA:,", " data:,", "&#100;ata:,", "&#x64;&#x41;ta:,",
      "d&#10;ata:,", "da\nta:,", "data&#x3a;,", "data&#x3A;,",
    ] {
      #expect(
        kind(Drawing.document(#"<image xlink:href="\#(address)" width="9" height="9"/>"#))
          == "unsupportedFeature")
    }
    for style in [
      #"\64 ata:,"#, #"d\61ta:,"#, #"d\61\74\00061:,"#, #"\000064 ata&#58;,"#, #"\64&#10;ata:,"#,
      "\\64\nata:,", "da\\\nta:,", #"data\3a ,"#, #"data\3A ,"#,
    ] {
      #expect(
        kind(Drawing.document(#"<rect width="9" height="9" style="filter:url(&quot;\#(style)&quot;)"/>"#))
          == "unsupportedFeature")
    }
  }

  @Test("An SVG may contain the word data in names and paths, but not `data:`")
  func words() throws {
    let text =
      #"<metadata:a xmlns:metadata="m" file="C:\data\a.svg"/><desc>Data: none, metadata: none</desc>"#

    // The first is part of another word, the second a word of its own.
    #expect(kind(Drawing.document(text)) == "unsupportedFeature")
    #expect(try Drawing.image(Drawing.document(text.replacing("Data: ", with: ""))).width == 10)
  }

  /// Every filter that is not refused, with numbers that it may not expect.
  private static let filters = [
    "feBlend in2='a'", "feColorMatrix type='saturate' values='2'",
    "feComposite in2='a' operator='arithmetic' k1='1e30'", "feDiffuseLighting surfaceScale='9'",
    "feDisplacementMap in2='a' scale='1e9'", "feDropShadow stdDeviation='3'", "feFlood flood-color='red'",
    "feGaussianBlur stdDeviation='1e9'", "feImage href='#x'", "feMerge", "feOffset dx='1e9' dy='-1e9'",
    "feSpecularLighting specularExponent='1'", "feTile", "feComponentTransfer", "feTile in='SourceAlpha'",
    "feImage href='#x' x='1e9'", "feDiffuseLighting kernelUnitLength='0'",
  ]

  private static let regions = [
    "", "x='0' y='0' width='0' height='0'", "x='50' y='50' width='1' height='1'",
    "x='-1e9' width='1e9' y='0' height='1'", "width='1e-9' height='1e-9'", "width='-1' height='1'",
  ]

  @Test("SVG filters that abort librsvg end in an error, and the program continues")
  func aborts() throws {
    var steps = [#"<feFlood x="0" y="0" width="1" height="1"/><feOffset dx="5"/><feTile/>"#]
    for (filter, region) in Self.filters.flatMap({ filter in Self.regions.map { (filter, $0) } }) {
      let name = filter.prefix { $0 != " " }
      let light = filter.contains("Lighting") ? "<fePointLight x='1' y='1' z='0'/>" : ""
      steps.append(
        "<feOffset result='a' dx='5' \(region)/><\(filter) \(region)>\(light)</\(name)><feTile/>")
    }
    var codes: [String: Int] = [:]

    for step in steps {
      let rectangle = "<rect id='x' x='3' y='3' width='4' height='4' filter='url(#f)'/>"
      do {
        _ = try Drawing.image(Drawing.document("<filter id='f'>\(step)</filter>\(rectangle)"))
        codes["drawn", default: 0] += 1
      } catch let error as ImageCodecError {
        codes[error.code, default: 0] += 1
        #expect(error == .decoderCrashed(signal: 6) || error.kind == "corrupt", "\(step): \(error)")
      }
    }

    print("filters: \(codes.sorted { $0.key < $1.key })")
    #expect(try Drawing.image(Drawing.document("<rect width='9' height='9'/>")).width == 10)
  }

  @Test("An SVG that takes a minute to draw stops at the deadline")
  func deadline() {
    let blurs = String(repeating: "<feGaussianBlur stdDeviation='90'/>", count: 20)
    let shapes = String(repeating: "<rect width='4000' height='4000' filter='url(#f)'/>", count: 5)
    let text = Drawing.document(
      "<filter id='f'>\(blurs)</filter>\(shapes)", attributes: #"width="4000" height="4000""#)
    var options = DecodingOptions()
    options.limits.deadline = .milliseconds(500)

    let start = ContinuousClock.now
    #expect(throws: ImageCodecError.deadlineExceeded) { try Drawing.image(text, options: options) }

    #expect(ContinuousClock.now - start < .seconds(30))
  }

  @Test("Drawing an SVG without workers fails, unless isolation is off")
  func withoutWorkers() throws {
    let text = Drawing.document("<rect width='9' height='9'/>")

    let error = #expect(throws: ImageCodecError.self) {
      try Drawing.image(text) { $0.isolation = .process(WorkerSettings(program: .path("/nowhere/worker"))) }
    }

    #expect(error?.code == "codec.isolation-unavailable.not-started")
    #expect(try Drawing.imageHere(text).width == 10)
  }

  @Test("SVG filters of quadratic cost are refused")
  func filters() {
    for filter in [
      #"<feMorphology radius="999"/>"#, #"<feTurbulence numOctaves="99"/>"#,
      #"<feConvolveMatrix order="99"/>"#,
      #"<a:feMorphology xmlns:a="http://www.w3.org/2000/svg" radius="9"/>"#,
    ] {
      #expect(
        kind(Drawing.document(#"<filter id="f">\#(filter)</filter><rect filter="url(#f)"/>"#))
          == "unsupportedFeature")
    }
  }

  @Test("An SVG in an encoding that cannot be checked is refused")
  func encodings() {
    for encoding in ["UTF-7", "utf-16", "IBM037", "ISO-2022-JP", "x"] {
      let text = #"<?xml version="1.0" encoding="\#(encoding)"?>"# + Drawing.document("")
      #expect(kind(text) == "unsupportedFeature")
    }
    #expect(kind(Drawing.document("\0")) == "unsupportedFeature")
    #expect(kind(#"<?xml version='1.0' encoding='UTF-8'?>"# + Drawing.document("") + "<") == "corrupt")
  }

  @Test("SVG elements are counted whatever character their names begin with")
  func letters() {
    // In this encoding, 0x80 is the sign of the euro, with which a name may begin.
    let start = Array(#"<?xml version="1.0" encoding="windows-1252"?>"#.utf8)
    for letter: [UInt8] in [[0x61], [0x5A], [0x5F], [0x80], [0xFF]] {
      let elements = [[UInt8]](repeating: [0x3C] + letter + [0x2F, 0x3E], count: 20).flatMap { $0 }
      let document = Array(Drawing.document("").utf8)
      let file = start + Array(document.dropLast(6)) + elements + Array(document.suffix(6))

      #expect(throws: ImageCodecError.limitExceeded(.elements(20)), "\(letter)") {
        try Drawing.image(file) { $0.maximumElements = 20 }
      }
    }
  }

  @Test("An SVG with deep nesting or recursive references is corrupt")
  func depth() {
    let nested = String(repeating: "<g>", count: 5_000) + String(repeating: "</g>", count: 5_000)
    let uses = (1...9).map { level in
      "<g id='l\(level)'>" + String(repeating: "<use xlink:href='#l\(level - 1)'/>", count: 10) + "</g>"
    }
    let circle = "<g id='a'><use xlink:href='#b'/></g><g id='b'><use xlink:href='#a'/></g>"

    #expect(kind(Drawing.document(nested)) == "corrupt")
    #expect(kind(Drawing.document(#"<rect id="l0" width="1" height="1"/>"# + uses.joined())) == "corrupt")
    #expect(
      kind(
        Drawing.document(
          #"<pattern id="p" width="1" height="1"><rect fill="url(#p)" width="9" height="9"/></pattern>"#
            + circle + "<")) == "corrupt")
  }

  @Test("An SVG with invalid numbers draws at its size or throws an error")
  func numbers() throws {
    for number in ["1e308", "-1e308", "nan", "1e999", "99999999999999999999", "-5"] {
      let text = Drawing.document(
        #"<g transform="scale(\#(number))"><rect x="\#(number)" width="\#(number)" height="9" stroke="red" stroke-width="\#(number)"/></g>"#,
        attributes: #"viewBox="0 0 \#(number) \#(number)" width="10" height="10""#)
      do {
        #expect(try Drawing.image(text).size == PixelSize(width: 10, height: 10))
      } catch let error as ImageCodecError {
        #expect(["corrupt", "invalidSize"].contains(error.kind), "\(number): \(error)")
      }
    }
  }

  @Test("A truncated or mutated SVG never crashes the program")
  func mutations() throws {
    let whole = try Files.bytes("shapes.svg")
    let image = try Drawing.image(whole)
    var random = SeededRandom(seed: 3)
    var (images, failures) = (0, 0)
    for round in 0..<150 {
      var bytes = whole
      if round.isMultiple(of: 2) {
        bytes.removeLast(random.below(bytes.count))
      } else {
        for _ in 0...random.below(4) { bytes[random.below(bytes.count)] = random.byte() }
      }
      var options = DecodingOptions()
      options.limits.maximumPixels = 100_000
      do {
        let drawn = try Drawing.image(bytes, options: options)
        #expect(drawn.width * drawn.height <= 100_000)
        images += 1
      } catch {
        #expect(error is ImageCodecError)
        failures += 1
      }
    }

    #expect(images > 5 && failures > 50, "\(images) images, \(failures) failures")
    #expect(try Drawing.image(whole) == image)
  }
}
