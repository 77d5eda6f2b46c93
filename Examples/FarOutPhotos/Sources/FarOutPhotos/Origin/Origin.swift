import Foundation
import StreamImages
import Synchronization

/// Where the originals come from, at the pace of a network: a server of its own, as far away as another port.
final class Origin: Sendable {
  /// How many bytes come in a second.
  static let pace = 6_000_000

  let photos: [Photo]
  private let server: HTTPServer

  /// - Parameters:
  ///   - count: How many paintings there are.
  ///   - huge: A picture of 100 megapixels.
  ///   - pace: `nil` for as fast as it goes.
  init(count: Int = 60, huge: HugePicture, pace: Int? = Origin.pace) throws {
    let skies = (1...count).map { Sky($0) }
    let painted = PaintedSkies(skies)
    let server = try HTTPServer { request in
      switch request.path.first {
      case "huge.jpg": Origin.huge(huge, pace)
      // What says it is a picture is not always one.
      case "broken.jpg": Just(.picture(Data("<p>We are sorry.</p>".utf8), pace)).eraseToAnyPublisher()
      case let name?:
        skies.firstIndex { $0.fileName == name }.map { painted.reply(to: $0, pace) } ?? Origin.nothing
      case nil: Origin.nothing
      }
    }
    self.server = server

    var photos = skies.map { sky in
      Photo(
        name: sky.title, url: server.url.appending(path: sky.fileName), identity: "sky-1-\(sky.number)",
        size: sky.size)
    }
    let special = [
      ("One hundred megapixels", "huge.jpg", HugePicture.size), ("Lost in space", "lost.jpg", nil),
      ("No image at all", "broken.jpg", nil),
    ]
    for (place, special) in zip([3, 6, 8], special) where place <= photos.count {
      photos.insert(
        Photo(
          name: special.0, url: server.url.appending(path: special.1), identity: "special-1-\(special.1)",
          size: special.2), at: place)
    }
    self.photos = photos
  }

  private static var nothing: AnyPublisher<HTTPReply, Never> {
    Just(.text(404, "There is nothing here.")).eraseToAnyPublisher()
  }

  /// Read from its file while it is sent, twice as fast as others: there is much of it.
  private static func huge(_ picture: HugePicture, _ pace: Int?) -> AnyPublisher<HTTPReply, Never> {
    Just(
      HTTPReply(
        type: "image/jpeg", body: .file(picture.file, byteCount: picture.byteCount),
        caching: "public, max-age=3600",
        pace: pace.map { $0 * 2 })
    )
    .eraseToAnyPublisher()
  }
}

/// Paintings, each made when it is first asked for.
private final class PaintedSkies: Sendable {
  private let skies: [Sky]
  private let easel = DispatchQueue(label: "PaintedSkies")
  private let painted = Mutex<[Int: Data]>([:])

  init(_ skies: [Sky]) { self.skies = skies }

  func reply(to index: Int, _ pace: Int?) -> AnyPublisher<HTTPReply, Never> {
    Deferred { [self] in Just(HTTPReply.picture(sky(index), pace)) }
      .subscribe(on: easel)
      .eraseToAnyPublisher()
  }

  private func sky(_ index: Int) -> Data {
    if let known = painted.withLock({ $0[index] }) { return known }
    do {
      let bytes = Data(try ImageEncoder.encode(try skies[index].image(), as: .jpeg(quality: 0.9)))
      painted.withLock { $0[index] = bytes }
      return bytes
    } catch {
      preconditionFailure("a painting is a few megapixels: \(error)")
    }
  }
}

extension HTTPReply {
  fileprivate static func picture(_ data: Data, _ pace: Int?) -> HTTPReply {
    HTTPReply(type: "image/jpeg", body: .bytes(data), caching: "public, max-age=3600", pace: pace)
  }
}
