import CGTK
import Foundation
import StreamImages
import StreamsGLib

/// How long frames take, by GTK's frame clock.
///
/// A frame is due 16.7 ms after the one before it began. What it takes is counted from then to the end of painting: a main
/// thread that is busy with something else makes a frame late, too.
@MainActor
final class FrameMeter {
  struct Figures {
    /// In microseconds, of each frame.
    var durations: [Int] = []
    /// Of the processor, in microseconds: what the main thread did from one frame to the next. Load of the machine does not count.
    var work: [Int] = []

    var count: Int { durations.count }
    var countInTime: Int { durations.count { $0 <= FrameMeter.period } }
    var partInTime: Double { count == 0 ? 1 : Double(countInTime) / Double(count) }
  }

  /// Of a display with 60 frames a second, in microseconds.
  nonisolated static let period = 16_667

  private(set) var figures = Figures()
  /// Whether each frame is followed by another, so that a gap between two is a frame that was late.
  var isContinuous = false {
    didSet { lastStart = nil }
  }
  /// The number of the last frame.
  private(set) var number = 0
  /// After each frame.
  let painted = PassthroughSubject<Void, Never>()

  private var start = 0
  private var lastStart: Int?
  private var lastProcessor: Int?
  private var subscriptions: Set<AnyCancellable> = []

  func watch(_ window: Widget) {
    guard let clock = gtk_widget_get_frame_clock(window) else { return }
    let object = UnsafeMutableRawPointer(clock)
    signals(of: object, named: "before-paint").sink { [unowned self] in start = g_get_monotonic_time() }
      .store(in: &subscriptions)
    signals(of: object, named: "after-paint").sink { [unowned self] in end() }.store(in: &subscriptions)
  }

  func reset() {
    figures = Figures()
    (lastStart, lastProcessor) = (nil, nil)
  }

  private static func processorTime() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
  }

  private func end() {
    let due = isContinuous ? lastStart.map { min($0 + Self.period, start) } ?? start : start
    figures.durations.append(g_get_monotonic_time() - due)
    let processor = Self.processorTime()
    if let lastProcessor { figures.work.append(processor - lastProcessor) }
    lastProcessor = processor
    if !isContinuous, figures.count > 20_000 { figures = Figures() }
    lastStart = start
    number += 1
    painted.send()
  }
}
