import StreamImages

/// One presentation of the picker of photographs, from when it opens until it closes.
@MainActor
final class Picker {
  /// What is picked, until there is no room for a pick or the picker closes. All who subscribe share one stream.
  let selected: AnyPublisher<Image, Never>

  @Published private(set) var isOpen = true
  /// How many photographs this presentation has added.
  @Published private(set) var count = 0

  private let photos = PassthroughSubject<Image, Never>()

  /// - Parameter hasRoom: Whether another photograph may be added. Asked before each; a `false` closes the picker.
  init(hasRoom: @escaping () -> Bool) {
    // What limits stands before what shares: the stream ends once, for all who share it.
    selected = photos.prefix { _ in hasRoom() }.share().eraseToAnyPublisher()
    selected.scan(0) { count, _ in count + 1 }.assign(to: &$count)
    selected.map { _ in true }.append(false).assign(to: &$isOpen)
  }

  func pick(_ photo: Image) { photos.send(photo) }

  func close() { photos.send(completion: .finished) }
}
