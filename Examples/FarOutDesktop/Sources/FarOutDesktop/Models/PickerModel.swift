import Dispatch
import Foundation
import StreamImages
import StreamsExtras

/// Picks images for a collage, and saves it when there are enough.
@MainActor
final class PickerModel: ObservableObject {
  static let limit = 6
  nonisolated static let size = PixelSize(width: 960, height: 640)

  enum State: Equatable {
    case closed
    case picking
    case saving
    case saved(String)
    /// The library takes no images. Nothing was picked.
    case denied
    case failed(String)
  }

  @Published private(set) var state = State.closed
  @Published private(set) var picked: [Photo] = []
  @Published private(set) var images: [Image] = []
  @Published private(set) var collage: Image?

  private let gallery: Gallery
  /// What takes the collages. The second is offered if the first refuses.
  private(set) var library: DirectoryLibrary
  private let other: DirectoryLibrary
  private var selection = PassthroughSubject<Photo, Never>()
  private var subscriptions: Set<AnyCancellable> = []

  init(_ gallery: Gallery, library: DirectoryLibrary, other: DirectoryLibrary) {
    self.gallery = gallery
    self.library = library
    self.other = other
  }

  /// Asks the library, and begins to pick if it agrees.
  func open() {
    subscriptions = []
    (picked, images, collage) = ([], [], nil)
    PhotoWriter.requestAuthorization(in: library)
      .sink { [weak self] isAuthorized in
        if isAuthorized { self?.begin() } else { self?.state = .denied }
      }
      .store(in: &subscriptions)
  }

  /// Goes on with the other library.
  func useOtherLibrary() {
    library = other
    open()
  }

  func pick(_ photo: Photo) {
    if state == .picking, !picked.contains(photo) { selection.send(photo) }
  }

  func close() {
    subscriptions = []
    (state, picked, images, collage) = (.closed, [], [], nil)
  }

  /// A subject that has finished sends nothing more, so each time has another.
  private func begin() {
    state = .picking
    selection = PassthroughSubject()
    // The limit is part of the stream: it ends by itself with the last image.
    let photos = selection.prefix(Self.limit).share()
    photos.sink { [weak self] photo in self?.picked.append(photo) }.store(in: &subscriptions)
    photos
      .map { [gallery] photo in
        gallery.pipeline.imagePublisher(with: gallery.small(photo), includingPreviews: false)
          .map(\.image)
          .replaceError(with: Artwork.failure!)
      }
      .flatMap(maxPublishers: .max(1)) { $0 }
      .scan([]) { $0 + [$1] }
      .sink { [weak self] _ in
        self?.save()
      } receiveValue: { [weak self] images in
        self?.images = images
      }
      .store(in: &subscriptions)
  }

  private func save() {
    state = .saving
    Self.collage(of: images)
      .receive(on: MainActor.self)
      .handleEvents(receiveOutput: { [weak self] collage in
        MainActor.assumeIsolated { self?.collage = collage }
      })
      .flatMap { [library] collage in
        PhotoWriter.save(collage, to: library, named: "Far out").mapError { $0 as any Error }
      }
      .sink { [weak self] completion in
        if case .failure(let error) = completion { self?.state = .failed("\(error)") }
      } receiveValue: { [weak self] name in
        self?.state = .saved(name)
      }
      .store(in: &subscriptions)
  }

  /// Made elsewhere: the main thread has better things to do.
  private nonisolated static func collage(of images: [Image]) -> AnyPublisher<Image, any Error> {
    Deferred {
      Future { promise in promise(Result { try Image.collage(images: images, size: size) }) }
    }
    .subscribe(on: DispatchQueue.global())
    .eraseToAnyPublisher()
  }
}
