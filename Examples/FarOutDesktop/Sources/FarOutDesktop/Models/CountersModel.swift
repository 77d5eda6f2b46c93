import Foundation
import StreamImages
import StreamsExtras

/// What the panel shows, four times a second.
@MainActor
final class CountersModel: ObservableObject {
  struct Numbers: Equatable {
    var traffic = Traffic.Numbers()
    var memoryHits = 0
    var memoryBytes = 0
    var memoryLimit = 0
    var resident = 0
    var decoded = 0
    var decodedOnMainThread = 0
    var frames = 0
    var framesInTime = 1.0
  }

  @Published private(set) var numbers = Numbers()

  private var timer: AnyCancellable?

  /// - Parameter frames: Says how many frames there were, and how many of them in time.
  init(_ gallery: Gallery, frames: @escaping @MainActor () -> (all: Int, inTime: Double)) {
    timer = Timer.publish(every: 0.25, on: .main, in: .common).autoconnect()
      .named("counters")
      .sink { [weak self] _ in
        let statistics = gallery.memory.statistics
        let counted = frames()
        let numbers = Numbers(
          traffic: gallery.traffic.numbers, memoryHits: statistics.hits,
          memoryBytes: gallery.memory.totalCost,
          memoryLimit: gallery.memory.costLimit, resident: Memory.resident,
          decoded: gallery.decoder.all, decodedOnMainThread: gallery.decoder.onMainThread,
          frames: counted.all, framesInTime: counted.inTime)
        if self?.numbers != numbers { self?.numbers = numbers }
      }
  }
}
