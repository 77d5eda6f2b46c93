/// The frames of an animated PNG. libpng decodes each as a PNG of its own, and they are composed here.
final class APNGFrames: FrameSource {
  private let file: FrameFile
  private let header: PNGHeader
  private let limits: DecodingLimits
  private let watch: DecodingWatch
  private var canvas: Image
  /// What happens to the last frame before the next one.
  private var pending: APNGControl?
  /// The canvas before it, if that is to be restored.
  private var before: Image?
  private var position = PNGChunk.signature.count
  private var sequence = 0
  private var count = 0
  private var isBeforeData = true
  /// The chunks before the data that decoding needs: palette and transparency.
  private var prelude: [UInt8] = []

  init(
    _ file: FrameFile, header: PNGHeader, limits: DecodingLimits, watch: DecodingWatch
  ) throws(ImageCodecError) {
    try limits.checkFrame(header.size, bytesPerPixel: 4)
    // The canvas before a frame may have to be kept, and a frame may be as large.
    try limits.checkWork(byteCount: (header.size.pixelCount ?? .max / 16) * 12)
    (self.file, self.header, self.limits, self.watch) = (file, header, limits, watch)
    canvas = try Image(width: header.size.width, height: header.size.height, pixelFormat: .rgba8)
  }

  func next() throws(ImageCodecError) -> AnimationFrame? {
    guard count < header.frameCount, let control = try nextControl() else {
      try checkEnd()
      return nil
    }
    let frame = try decodedFrame(control)
    try dispose()
    pending = control
    before = control.disposal == .previous ? canvas : nil
    try draw(frame, control)
    count += 1
    return AnimationFrame(image: canvas, duration: control.duration)
  }

  // MARK: Chunks

  /// Whatever follows the last frame, a file without its end is complete for those who accept that.
  private func checkEnd() throws(ImageCodecError) {
    guard limits.incomplete == .refuse || count < header.frameCount else { return }
    var position = position
    while let chunk = PNGChunk(file.view, at: position) {
      if chunk.type == "IEND" {
        guard count > 0 else { throw .corrupt("an animation without frames") }
        return
      }
      position = chunk.end
    }
    throw .truncated
  }

  /// Moves to the data of the next frame. `nil` at the end of the animation.
  private func nextControl() throws(ImageCodecError) -> APNGControl? {
    while let chunk = PNGChunk(file.view, at: position) {
      try watch.check()
      switch chunk.type {
      case "fcTL":
        position = chunk.end
        return try control(chunk)
      case "IDAT": isBeforeData = false
      case "IEND": return nil
      default: try keep(chunk)
      }
      position = chunk.end
    }
    return nil
  }

  private func control(_ chunk: PNGChunk) throws(ImageCodecError) -> APNGControl {
    guard chunk.isIntact, let control = APNGControl(chunk.payload) else {
      throw .corrupt("a damaged frame header")
    }
    try advance(to: control.sequence)
    guard control.x <= header.size.width - control.size.width,
      control.y <= header.size.height - control.size.height
    else { throw .corrupt("a frame outside of its canvas") }
    return control
  }

  private func advance(to number: Int?) throws(ImageCodecError) {
    guard number == sequence else { throw .corrupt("frames out of order") }
    sequence += 1
  }

  /// The header of the first frame may stand before these chunks or behind them.
  private func keep(_ chunk: PNGChunk) throws(ImageCodecError) {
    guard isBeforeData, chunk.type == "PLTE" || chunk.type == "tRNS" else { return }
    // The largest palette has 768 bytes, and there is one of each.
    guard chunk.payload.count <= 768, prelude.count < 2_000 else {
      throw .corrupt("a palette that is too large")
    }
    prelude += PNGChunk.bytes(chunk.type == "PLTE" ? "PLTE" : "tRNS", chunk.payload.array)
  }

  /// The compressed data of the frame, up to the next frame or the end.
  private func data(_ control: APNGControl) throws(ImageCodecError) -> [UInt8] {
    var data: [UInt8] = []
    while let chunk = PNGChunk(file.view, at: position) {
      try watch.check()
      guard chunk.type != "fcTL", chunk.type != "IEND" else { return data }
      position = chunk.end
      guard chunk.type == "IDAT" || chunk.type == "fdAT" else {
        try keep(chunk)
        continue
      }
      isBeforeData = false
      guard chunk.isIntact else { throw .corrupt("a wrong checksum") }
      if chunk.type == "IDAT" {
        guard control.size == header.size else { throw .corrupt("a first frame of another size") }
        data += chunk.payload.array
      } else {
        try advance(to: chunk.payload.big(0, count: 4))
        data += chunk.payload.rest(from: 4)?.array ?? []
      }
    }
    return data
  }

  // MARK: Pixels

  private func decodedFrame(_ control: APNGControl) throws(ImageCodecError) -> Image {
    let data = try data(control)
    // The last chunk of the file is not there, or a part of it.
    let hasEnded = PNGChunk(file.view, at: position) == nil
    guard !data.isEmpty else { throw hasEnded ? .truncated : .corrupt("a frame without data") }
    do throws(ImageCodecError) {
      return try decoded(data, control.size)
    } catch {
      throw hasEnded && watch.interruption == nil ? .truncated : error
    }
  }

  private func decoded(_ data: [UInt8], _ size: PixelSize) throws(ImageCodecError) -> Image {
    // Bits, colors and interlacing are those of all frames.
    let format = file.view.slice(24, count: 5)?.array ?? []
    let png = [UInt8](
      joining: PNGChunk.signature, PNGChunk.bytes("IHDR", [size.width, size.height].big + format), prelude,
      PNGChunk.bytes("IDAT", data), PNGChunk.bytes("IEND", []))
    return try png.withBytes { bytes throws(ImageCodecError) in
      let view = ByteView(bytes)
      let frame = try PNGHeader(view)
      let job = DecodingJob(
        bytes: view, resize: ResizePlan(unchanged: frame.size), limits: limits, isStrict: true, watch: watch)
      return try frame.decode(job).image.withAlpha()
    }
  }

  private func dispose() throws(ImageCodecError) {
    guard let pending else { return }
    if let before { canvas = before }
    if pending.disposal == .background {
      let clear = try Image(width: pending.size.width, height: pending.size.height, pixelFormat: .rgba8)
      try canvas.paste(clear, x: pending.x, y: pending.y)
    }
  }

  private func draw(_ frame: Image, _ control: APNGControl) throws(ImageCodecError) {
    guard control.isBlended else { return try canvas.paste(frame, x: control.x, y: control.y) }
    let below = try canvas.cropped(x: control.x, y: control.y, width: frame.width, height: frame.height)
    try canvas.paste(below.blended(with: frame), x: control.x, y: control.y)
  }
}

/// The header of a frame in an animated PNG.
struct APNGControl {
  enum Disposal: Int { case none, background, previous }

  let sequence: Int
  let size: PixelSize
  let x: Int
  let y: Int
  let duration: Duration
  let disposal: Disposal
  /// Whether it is blended over the frames before, and does not replace them.
  let isBlended: Bool

  init?(_ payload: ByteView) {
    let numbers = (0..<5).compactMap { payload.big($0 * 4, count: 4) }
    guard payload.count == 26, numbers.count == 5, numbers[1] > 0, numbers[2] > 0,
      let numerator = payload.big(20, count: 2), let denominator = payload.big(22, count: 2),
      let disposal = payload.byte(24).flatMap(Disposal.init), let blending = payload.byte(25), blending < 2
    else { return nil }
    sequence = numbers[0]
    size = PixelSize(width: numbers[1], height: numbers[2])
    (x, y) = (numbers[3], numbers[4])
    // Without a denominator, hundredths of a second.
    let perSecond = denominator == 0 ? 100 : denominator
    duration = AnimationFrame.duration(microseconds: numerator * 1_000_000 / perSecond)
    self.disposal = disposal
    isBlended = blending == 1
  }
}
