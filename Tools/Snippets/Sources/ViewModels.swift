import Foundation
import Streams

final class CounterViewModel: ObservableObject {
  @Published var count = 0
  @Published private(set) var title = ""
  @Published private(set) var isEven = true

  private var cancellables = Set<AnyCancellable>()

  init() {
    $count
      .map { "Count: \($0)" }
      .sink { [weak self] in self?.title = $0 }
      .store(in: &cancellables)

    $count
      .map { $0.isMultiple(of: 2) }
      .removeDuplicates()
      .assign(to: &$isEven)
  }

  func increment() { count += 1 }
}

struct Track: Equatable {
  var name: String
  var isPlaying = false
}

@MainActor
final class PlayerViewModel: ObservableObject {
  @Published var track: Track?
  @Published var volume = 0.5
  @Published private(set) var status = "stopped"

  private var cancellables: Set<AnyCancellable> = []

  init() {
    $track
      .compactMap { $0 }
      .removeDuplicates()
      .combineLatest($volume)
      .map { track, volume in
        track.isPlaying ? "playing \(track.name) at \(Int(volume * 100)) %" : "paused \(track.name)"
      }
      .sink { [weak self] status in
        self?.status = status
        print("status:", status)
      }
      .store(in: &cancellables)

    $volume
      .dropFirst()
      .filter { $0 == 0 }
      .sink { [unowned self] _ in self.pause() }
      .store(in: &cancellables)
  }

  func play(_ name: String) { track = Track(name: name, isPlaying: true) }
  func pause() { track?.isPlaying = false }
}

@MainActor
func viewModels() async {
  let counter = CounterViewModel()
  var subscriptions = Set<AnyCancellable>()
  counter.$title.sink { print("title:", $0) }.store(in: &subscriptions)
  counter.$isEven.sink { print("even:", $0) }.store(in: &subscriptions)
  counter.increment()
  counter.increment()
  print("now:", counter.count, counter.title, counter.isEven)

  // The value that is published is not yet stored.
  counter.$count.dropFirst().sink { print("published \($0), stored \(counter.count)") }.store(
    in: &subscriptions)
  counter.increment()

  let player = PlayerViewModel()
  player.play("Aria")
  player.play("Aria")
  player.volume = 0.25
  player.volume = 0
  player.pause()
  print("at the end:", player.status, player.volume)
}
