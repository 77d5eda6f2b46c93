import Foundation
import StreamImages
import StreamsExtras

/// The state of the program: the photographs that were picked, their collage, and what became of it.
///
/// Knows nothing of terminals. Everything that changes is a stream.
@MainActor
final class CollageModel: ObservableObject {
  static let size = PixelSize(width: 960, height: 640)

  @Published private(set) var preview: Image?
  /// The name that the library gave the last collage.
  @Published private(set) var lastSaved: String?
  @Published private(set) var lastError: String?

  /// What the interface allows, whenever that may have changed.
  let controls = PassthroughSubject<Controls, Never>()

  private let library: DirectoryLibrary
  private let images = CurrentValueSubject<[Image], Never>([])
  /// Of the picker that is open, or was the last to be.
  private var selection: AnyCancellable?

  init(library: DirectoryLibrary) { self.library = library }

  /// Begins to make a collage of what is picked. Called once, by whoever listens to ``controls`` by then.
  func bind() {
    images
      .handleEvents(receiveOutput: { [controls] images in
        controls.send(Controls(photoCount: images.count))
      })
      .map { images in images.isEmpty ? nil : try? Image.collage(images: images, size: Self.size) }
      .assign(to: &$preview)
  }

  /// Whether there may be a picker. If not, ``lastError`` says why.
  func authorize() -> AnyPublisher<Bool, Never> {
    PhotoWriter.requestAuthorization(in: library)
      .receive(on: MainActor.self)
      .handleEvents(receiveOutput: { [weak self] isAuthorized in
        if !isAuthorized { self?.lastError = "No access to the library of photographs." }
      })
      .eraseToAnyPublisher()
  }

  /// A picker for this one presentation. What it picks becomes part of the collage.
  ///
  /// A subject that has finished says nothing more, so the next presentation has another.
  func presentPicker() -> Picker {
    let picker = Picker { [images] in images.value.count < Controls.maximumCount }
    selection = picker.selected
      .map { [images] photo in images.value + [photo] }
      .assign(to: \.value, on: images)
    return picker
  }

  /// Writes the collage into the library, and clears it when it is there. The stream ends when that is done.
  func save() -> AnyPublisher<String, PhotoWriter.Error> {
    guard let preview else { return Empty().eraseToAnyPublisher() }
    return PhotoWriter.save(preview, to: library, as: .jpeg(quality: 0.9))
      .receive(on: MainActor.self)
      .handleEvents(
        receiveOutput: { [weak self] identifier in self?.lastSaved = identifier },
        receiveCompletion: { [weak self] completion in
          switch completion {
          case .finished: self?.clear()
          case .failure(let error): self?.lastError = "\(error)"
          }
        }
      )
      .eraseToAnyPublisher()
  }

  func clear() { images.send([]) }
}
