#if canImport(Glibc)
  import Glibc
  import ImageCodecs
  import Testing

  /// A function of the C library that its module for Swift leaves out.
  private func function<Function>(_ name: String, _ type: Function.Type) -> Function {
    unsafeBitCast(dlsym(nil, name), to: type)
  }

  /// The bytes of the heap that are in use: what the system has given less what lies there free.
  private func heap() -> Int {
    var text = [CChar](repeating: 0, count: 1 << 20)
    let file = fmemopen(&text, text.count, "w")
    let report = function(
      "malloc_info", (@convention(c) (Int32, UnsafeMutablePointer<FILE>?) -> Int32).self)
    precondition(report(0, file) == 0 && fclose(file) == 0)
    let lines = text.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }.split(
      separator: "\n")
    func last(_ start: String) -> Int {
      let size = lines.last { $0.hasPrefix(start) }?.split(separator: "\"").last { Int($0) != nil }
      return Int(size!)!
    }
    return last("<system type=\"current\"") - last("<total type=\"fast\"") - last("<total type=\"rest\"")
  }

  /// How many bytes of the heap `body` takes and does not give back, for each time that it runs.
  private func leaked(each count: Int, _ body: () -> Void) -> Int {
    for _ in 0..<20 { body() }  // what is kept for ever is made at the beginning
    let before = heap()
    for _ in 0..<count { body() }
    return (heap() - before) / count
  }

  // In a process of its own with one heap: what tests beside it take would be counted.
  @Suite("A codec")
  struct LeakTests {
    @Test(
      "gives back all memory, whether it succeeds, fails or is cancelled",
      .enabled(if: !isSanitized, "a sanitizer has a heap of its own, and looks for leaks itself"))
    func balance() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        let arenas: Int32 = -8  // `M_ARENA_MAX`
        precondition(function("mallopt", (@convention(c) (Int32, Int32) -> Int32).self)(arenas, 1) == 1)
        let image = try Samples.picture(24, 16, .rgba8)
        let encodings: [ImageEncoder.Encoding] = [
          .jpeg(), .jpeg(progressive: true), .png, .webp(quality: 0.8), .losslessWebP, .avif(quality: 0.5),
          .heic(quality: 0.5),
        ]
        var files = try encodings.map { ("\($0)", [UInt8](try ImageEncoder.encode(image, as: $0))) }
        for name in [
          "disposed.gif", "deep.tiff", "fax.tiff", "jpeg.tiff", "palette.tiff", "bitmap.ico", "animated.webp",
          "cmyk.jpg", "interlaced.png",
        ] {
          files.append((name, try Files.bytes(name)))
        }

        for encoding in encodings {
          let bytes = leaked(each: 100) { _ = try? ImageEncoder.encode(image, as: encoding) }
          // x265 3.5 loses a copy of its parameters with each encoder, in a program in C as well.
          let allowed = encoding == .heic(quality: 0.5) ? 4096 : 16
          if bytes > allowed { print("leak: \(bytes) bytes of encoding \(encoding)") }
        }
        for (name, file) in files {
          let half = Array(file.prefix(file.count / 2))
          for (way, decode) in [
            ("decoding", { _ = try? ImageDecoder.decode(file) }),
            ("decoding a half of", { _ = try? ImageDecoder.decode(half) }),
            ("cancelling", { _ = try? ImageDecoder.decode(file, isCancelled: { true }) }),
            ("the animation of", { _ = try? AnimationReader(file) }),
          ] as [(String, () -> Void)] {
            let bytes = leaked(each: 100, decode)
            if bytes > 16 { print("leak: \(bytes) bytes of \(way) \(name)") }
          }
        }
      }
      let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
      #expect(output.split(separator: "\n").filter { $0.contains("leak: ") } == [])
    }
  }
#endif
