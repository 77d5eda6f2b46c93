import CGTK
import Foundation
import StreamImages

/// Scrolls by itself, and prints how smooth that was.
@MainActor
final class Measurement {
  private let window: MainWindow
  private let gallery: Gallery
  private let options: Options
  private var scroll: AnyCancellable?

  /// How far is scrolled in a frame, in pixels: about five screens in a second.
  private static let step = 60.0

  init(_ window: MainWindow, _ gallery: Gallery, _ options: Options) {
    self.window = window
    self.gallery = gallery
    self.options = options
  }

  /// - Returns: Whether all is as it should be.
  func run() async -> Bool {
    for await found in window.search.$found.values where !found.isEmpty { break }
    for await _ in frames(30) {}
    let resident = Memory.resident
    let sweep = await sweep()
    let growth = Memory.peak - resident
    let decoded = gallery.decoder.all
    let cells = await scrollAtRandom()
    scroll = nil

    let isSmooth = sweep.partInTime >= 0.95 && sweep.durations.allSatisfy { $0 <= 100_000 }
    let isSmall = growth <= options.memoryLimit + 60 << 20
    let isRight = cells.wrong == 0 && cells.late == 0
    print(
      """
      From end to end, while \(decoded) images are loaded and decoded:
        \(sweep.count) frames, \(percent(sweep.partInTime)) within 16.7 ms; median \(milliseconds(sweep.durations, 50)), \
      99 % within \(milliseconds(sweep.durations, 99)), the longest \(milliseconds(sweep.durations, 100))
        of the processor the main thread took \(milliseconds(sweep.work, 50)) a frame, \
      in 95 % of frames up to \(milliseconds(sweep.work, 95)), at most \(milliseconds(sweep.work, 100))
        \(growth.mebibytes) more memory than with an empty window, with a cache of \(options.memoryLimit.mebibytes)
        \(gallery.decoder.onMainThread) images decoded on the main thread
      \(options.scrolls) random scrolls, every cell looked at after each of \(cells.frames) frames:
        \(cells.cells) cells, \(cells.images) images compared, \(cells.wrong) of another photo
        \(cells.fromMemory) found in memory, \(cells.late) of them not in the first frame
        \(gallery.traffic.numbers.cancelled) loads cancelled
      """)
    fflush(nil)
    return isSmooth && isSmall && isRight && gallery.decoder.onMainThread == 0
  }

  /// From the first row to the last.
  private func sweep() async -> FrameMeter.Figures {
    let adjustment = window.page.adjustment
    window.frames.reset()
    window.frames.isContinuous = true
    defer { window.frames.isContinuous = false }
    for await _ in frames(.max) {
      let end = gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)
      let value = gtk_adjustment_get_value(adjustment)
      if value >= end { break }
      gtk_adjustment_set_value(adjustment, value + Self.step)
    }
    return window.frames.figures
  }

  /// To anywhere, with all caches empty: most loads are cancelled before they end.
  private func scrollAtRandom() async -> CellWatch.Findings {
    let photos = window.search.found
    let watch = CellWatch(window, gallery, expected: await gallery.signatures(of: photos))
    await gallery.pipeline.flush()
    await gallery.pipeline.cache.removeAll()
    let adjustment = window.page.adjustment
    var chance = SystemRandomNumberGenerator()
    for number in 0..<options.scrolls {
      let end = gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)
      // Near as often as far: what was on the screen a moment ago comes again.
      let value = gtk_adjustment_get_value(adjustment)
      let place =
        number % 2 == 0 ? Double.random(in: 0...end, using: &chance) : value + Double.random(in: -700...700)
      gtk_adjustment_set_value(adjustment, min(max(0, place), end))
      for await _ in frames(Int.random(in: 1...5, using: &chance)) {}
    }
    for line in watch.report.prefix(10) { print(line) }
    return watch.findings
  }

  /// So many frames, one after the other. Each is followed by another, whether something changes or not.
  private func frames(_ count: Int) -> AsyncStream<Void> {
    AsyncStream { continuation in
      var rest = count
      scroll = window.tick {
        rest -= 1
        continuation.yield()
        if rest == 0 { continuation.finish() }
      }
    }
  }

  private func percent(_ part: Double) -> String { "\((part * 1_000).rounded(.down) / 10) %" }

  /// What so many of a hundred do not exceed.
  private func milliseconds(_ microseconds: [Int], _ part: Int) -> String {
    guard !microseconds.isEmpty else { return "–" }
    let value = microseconds.sorted()[min(microseconds.count - 1, microseconds.count * part / 100)]
    return "\(Double(value / 100) / 10) ms"
  }
}

extension MainWindow {
  /// Calls a closure in each frame, and asks for the next, until the result is cancelled or dropped.
  func tick(_ call: @escaping () -> Void) -> AnyCancellable {
    let handler = Unmanaged.passRetained(Tick(call: call)).toOpaque()
    let number = gtk_widget_add_tick_callback(
      widget,
      { _, _, handler in
        MainActor.assumeIsolated { Unmanaged<Tick>.fromOpaque(handler!).takeUnretainedValue().call() }
        return 1
      },
      handler,
      { handler in Unmanaged<Tick>.fromOpaque(handler!).release() })
    let window = widget
    return AnyCancellable { @MainActor in gtk_widget_remove_tick_callback(window, number) }
  }
}

private final class Tick {
  let call: () -> Void

  init(call: @escaping () -> Void) { self.call = call }
}
