import Foundation
import StreamImages

/// What is answered at which address.
struct Site: Sendable {
  /// For an address with the version of its photograph, which no other photograph has. Kept for a day.
  private static let lasting = "public, max-age=86400"

  private let gallery: Gallery
  private let visits: Visits
  private let page: [String: HTTPReply]
  private let list: HTTPReply

  init(_ gallery: Gallery) throws {
    self.gallery = gallery
    visits = Visits(gallery)
    list = HTTPReply.kept(
      Data(try JSONEncoder().encode(gallery.photos.map(ListedPhoto.init))), "application/json")
    let types = ["index.html": "text/html", "style.css": "text/css", "script.js": "text/javascript"]
    page = try types.reduce(into: [:]) { page, file in
      guard let url = Bundle.module.url(forResource: file.key, withExtension: nil, subdirectory: "Page")
      else {
        throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "Page/\(file.key)"])
      }
      page[file.key] = .kept(try Data(contentsOf: url), "\(file.value); charset=utf-8")
    }
  }

  @Sendable func answer(_ request: HTTPRequest) -> AnyPublisher<HTTPReply, Never> {
    reply(to: request)
      .handleEvents(receiveOutput: { [gallery] reply in
        if reply.status >= 400 { gallery.counters.count(\.failed) }
        if reply.tag.map(request.knows) == true { gallery.counters.count(\.unchanged) }
      })
      .eraseToAnyPublisher()
  }

  private func reply(to request: HTTPRequest) -> AnyPublisher<HTTPReply, Never> {
    switch request.path.first {
    case nil: return Self.just(page["index.html"])
    case "photos.json": return Self.just(list)
    case "counters.json":
      let status = Status(gallery, prefetching: visits.prefetching).json
      return Self.just(HTTPReply(type: "application/json", body: .bytes(Data(status.utf8))))
    case "events": return Self.just(events(request))
    case "ahead": return Self.just(prepare(request))
    case "photos": return photo(request.path.dropFirst())
    case let name?: return Self.just(request.path.count == 1 ? page[name] : nil)
    }
  }

  /// `/photos/7-4f1d…/fill/480x360`, or `/photos/7-4f1d…/original`. Without the version, or with an old one, an address
  /// stands for whatever photograph is there now, and browsers ask each time.
  private func photo(_ path: ArraySlice<String>) -> AnyPublisher<HTTPReply, Never> {
    gallery.counters.count(\.requests)
    let path = Array(path)
    let place = path.first?.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false) ?? []
    guard let number = place.first.flatMap({ Int($0) }), gallery.photos.indices.contains(number) else {
      return Self.just(nil)
    }
    let isLasting = place.count == 2 && place[1] == gallery.photos[number].version
    if path.count == 3, let variant = Variant(photo: number, mode: path[1], size: path[2]) {
      return Self.picture(gallery.variant(variant), isLasting)
    }
    guard path.dropFirst() == ["original"] else { return Self.just(nil) }
    return Self.picture(gallery.original(of: gallery.photos[number]), isLasting)
  }

  /// The way of every picture: bytes become an answer, and so does a failure.
  private static func picture(
    _ bytes: AnyPublisher<Data, ImagePipeline.Error>, _ isLasting: Bool
  ) -> AnyPublisher<HTTPReply, Never> {
    bytes
      .map { data in
        let format = ImageFormat(sniffing: data.prefix(ImageFormat.sniffingLength))
        let caching = isLasting ? lasting : "no-cache"
        return format.map { .kept(data, $0.mimeType, caching) } ?? .text(502, "The original is not an image.")
      }
      .catch { error in Just(.text(error.isMissing ? 404 : 502, "\(error)")) }
      .eraseToAnyPublisher()
  }

  /// `/events?page=…`: how things go, until the page is closed.
  private func events(_ request: HTTPRequest) -> HTTPReply? {
    guard let page = request.query["page"] else { return nil }
    return HTTPReply(type: "text/event-stream", body: .events { [visits] in visits.events(for: page) })
  }

  /// `/ahead?page=…&mode=fill&size=480x360&photos=8,9,10`: what the page will show next.
  private func prepare(_ request: HTTPRequest) -> HTTPReply? {
    guard let page = request.query["page"], let mode = request.query["mode"], let size = request.query["size"]
    else { return nil }
    let variants = request.query["photos", default: ""].split(separator: ",")
      .compactMap { Int($0) }
      .filter(gallery.photos.indices.contains)
      .compactMap { Variant(photo: $0, mode: mode, size: size) }
    return visits.prepare(variants, for: page) ? .text(200, "\(variants.count)") : nil
  }

  private static func just(_ reply: HTTPReply?) -> AnyPublisher<HTTPReply, Never> {
    Just(reply ?? .text(404, "There is nothing here.")).eraseToAnyPublisher()
  }
}

extension HTTPReply {
  /// What may be kept, for as long as `caching` says, and what its tag tells apart from others.
  fileprivate static func kept(_ data: Data, _ type: String, _ caching: String = "no-cache") -> HTTPReply {
    HTTPReply(type: type, body: .bytes(data), tag: "\"\(Fingerprint(of: data))\"", caching: caching)
  }
}

extension ImagePipeline.Error {
  fileprivate var isMissing: Bool {
    if case .status(404, _)? = dataLoadingError { true } else { false }
  }
}

/// What a page knows of a photograph.
private struct ListedPhoto: Encodable {
  let name: String
  let version: String
  let width: Int?
  let height: Int?

  init(_ photo: Photo) {
    name = photo.name
    version = photo.version
    width = photo.size?.width
    height = photo.size?.height
  }
}
