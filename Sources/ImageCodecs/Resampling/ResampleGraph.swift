import CZimg

/// zimg's filters for one pair of sizes.
///
/// zimg uses planes, and images are packed. So it reads and writes row by row through ``RowBridge``, without a second
/// copy of the image.
struct ResampleGraph: ~Copyable {
  private let graph: OpaquePointer
  /// The plan for what is right of `skipped` columns.
  private let plan: ResizePlan
  private let skipped: Int
  private let pixelFormat: Image.PixelFormat

  init(plan whole: ResizePlan, pixelFormat: Image.PixelFormat) throws(ImageCodecError) {
    skipped = whole.unreadColumns
    plan = whole.skipping(columns: skipped)
    self.pixelFormat = pixelFormat
    let key = ResampleGraphs.Key(plan: plan, pixelFormat: pixelFormat)
    if let known = ResampleGraphs.shared.take(key) {
      graph = known
    } else {
      graph = try ResampleGraph.make(plan, pixelFormat)
    }
  }

  private static func make(
    _ plan: ResizePlan, _ pixelFormat: Image.PixelFormat
  ) throws(ImageCodecError) -> OpaquePointer {
    var source = ResampleGraph.format(plan.source, pixelFormat, plan.light)
    source.active_region.left = plan.left
    source.active_region.top = plan.top
    source.active_region.width = plan.width
    source.active_region.height = plan.height
    var destination = ResampleGraph.format(plan.size, pixelFormat, plan.light)
    var parameters = zimg_graph_builder_params()
    zimg_graph_builder_params_default(&parameters, ResampleGraph.version)
    parameters.resample_filter = ZIMG_RESIZE_LANCZOS

    guard let graph = zimg_filter_graph_build(&source, &destination, &parameters) else {
      throw ResampleGraph.lastError
    }
    return graph
  }

  deinit { ResampleGraphs.shared.give(graph, for: ResampleGraphs.Key(plan: plan, pixelFormat: pixelFormat)) }

  /// Fills `destination`. If `source` is a reader of rows, look at it for its errors: then some may be thrown, or none.
  func run(
    from source: RowBridge.Source, to destination: UnsafeMutableRawBufferPointer,
    limits: DecodingLimits, watch: DecodingWatch
  ) throws(ImageCodecError) {
    var scratchBytes = 0
    var sourceLines: UInt32 = 0
    var destinationLines: UInt32 = 0
    try check(zimg_filter_graph_get_tmp_size(graph, &scratchBytes))
    try check(zimg_filter_graph_get_input_buffering(graph, &sourceLines))
    try check(zimg_filter_graph_get_output_buffering(graph, &destinationLines))

    let incoming = PlaneLayout(
      size: plan.source, lines: sourceLines, pixelFormat: pixelFormat, light: plan.light)
    let outgoing = PlaneLayout(
      size: plan.size, lines: destinationLines, pixelFormat: pixelFormat, light: plan.light)
    try limits.checkWork(byteCount: scratchBytes + incoming.byteCount + outgoing.byteCount)
    let scratch = try AlignedMemory(byteCount: scratchBytes)
    let bridge = RowBridge(
      source: source, sourceWidth: plan.source.width + skipped, skipping: skipped,
      usedWidth: Int(plan.left + plan.width), incoming: try Planes(incoming),
      destination: destination, destinationWidth: plan.size.width, outgoing: try Planes(outgoing),
      pixelFormat: pixelFormat, light: plan.light, watch: watch)

    var input = bridge.incoming.readable
    var output = bridge.outgoing.writable
    let context = Unmanaged.passUnretained(bridge).toOpaque()
    let code = zimg_filter_graph_process(
      graph, &input, &output, scratch.start,
      { context, row, left, right in
        RowBridge.at(context) { $0.split(row: Int(row), columns: Int(left)..<Int(right)) } ? 0 : 1
      }, context,
      { context, row, left, right in
        RowBridge.at(context) { $0.merge(row: Int(row), columns: Int(left)..<Int(right)) } ? 0 : 1
      }, context)
    withExtendedLifetime((bridge, scratch)) {}
    if let interruption = watch.interruption { throw interruption }
    try check(code)
  }

  static var version: UInt32 { UInt32(ZIMG_API_VERSION_MAJOR << 8 | ZIMG_API_VERSION_MINOR) }

  private static func format(
    _ size: PixelSize, _ pixelFormat: Image.PixelFormat, _ light: Image.Light
  ) -> zimg_image_format {
    var format = zimg_image_format()
    zimg_image_format_default(&format, version)
    format.width = UInt32(size.width)
    format.height = UInt32(size.height)
    let isWide = light == .linear || pixelFormat.isWide
    format.pixel_type = isWide ? ZIMG_PIXEL_WORD : ZIMG_PIXEL_BYTE
    format.depth = isWide ? 16 : 8
    format.pixel_range = ZIMG_RANGE_FULL
    format.color_family = pixelFormat.isGray ? ZIMG_COLOR_GREY : ZIMG_COLOR_RGB
    format.matrix_coefficients = pixelFormat.isGray ? ZIMG_MATRIX_UNSPECIFIED : ZIMG_MATRIX_RGB
    format.alpha = pixelFormat.hasAlpha ? ZIMG_ALPHA_STRAIGHT : ZIMG_ALPHA_NONE
    return format
  }

  private func check(_ code: zimg_error_code_e) throws(ImageCodecError) {
    if code != ZIMG_ERROR_SUCCESS { throw ResampleGraph.lastError }
  }

  private static var lastError: ImageCodecError {
    var message = [CChar](repeating: 0, count: 256)
    let code = zimg_get_last_error(&message, message.count)
    if code == ZIMG_ERROR_OUT_OF_MEMORY { return .outOfMemory }
    return .resamplingFailed(
      String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
  }
}

extension ResizePlan {
  /// The columns that zimg need not be given: all but three of those left of its filter. On ARM, zimg 3.0.6 loses eight columns
  /// of bytes if it reads from the second half of a block of sixteen, so the first column that it reads is always the third or
  /// one near it.
  fileprivate var unreadColumns: Int {
    let scale = width / Double(size.width)
    let taps = (6 * max(scale, 1)).rounded(.up)
    let first = (left + scale / 2 - taps / 2 + 0.5).rounded(.down)
    return max(Int(first) - 3, 0)
  }

  fileprivate func skipping(columns: Int) -> ResizePlan {
    var plan = self
    plan.left -= Double(columns)
    plan.source.width -= columns
    return plan
  }
}
