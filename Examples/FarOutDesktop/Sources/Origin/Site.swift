import Dispatch
import Foundation
import StreamImages
import Synchronization

/// What is answered: `/small/7.jpg` and `/large/7.jpg`, after some time, as from far away. Some fail.
final class Site: Sendable {
  private let paintings: Paintings
  private let painting = DispatchQueue(label: "Site.painting", attributes: .concurrent)
  private let seen = Mutex<Set<String>>([])

  init(_ paintings: Paintings) { self.paintings = paintings }

  func answer(_ request: HTTPRequest) -> AnyPublisher<HTTPReply, Never> {
    if request.path == ["photos.json"] { return Just(list).eraseToAnyPublisher() }
    guard request.path.count == 2, let number = Int(request.path[1].prefix { $0.isNumber }),
      (1...paintings.count).contains(number)
    else { return Just(.text(404, "There is nothing here.")).eraseToAnyPublisher() }
    let isSmall = request.path[0] == "small"
    let mayFail = request.query["as"] != "reference"
    return Deferred { [self] in Just(reply(to: number, isSmall: isSmall, mayFail: mayFail)) }
      .subscribe(on: painting)
      .delay(for: .milliseconds(isSmall ? 15 : 60), scheduler: DispatchQueue.global())
      .eraseToAnyPublisher()
  }

  private var list: HTTPReply {
    do {
      return HTTPReply(type: "application/json", body: .bytes(try paintings.list()))
    } catch {
      return .text(500, "\(error)")
    }
  }

  private func reply(to number: Int, isSmall: Bool, mayFail: Bool) -> HTTPReply {
    // One is never there. A few fail when they are requested for the first time.
    if number == 10 { return .text(404, "Lost in space.") }
    if mayFail, isSmall ? number % 97 == 16 : number == 7, isFirst("\(isSmall) \(number)") {
      return .text(503, "Come back later.")
    }
    do {
      let bytes = try isSmall ? paintings.small(number) : paintings.large(number)
      // A large one takes two seconds, as over a slow connection.
      return HTTPReply(
        type: "image/jpeg", body: .bytes(bytes), caching: "public, max-age=3600",
        pace: isSmall ? nil : bytes.count / 2)
    } catch {
      return .text(500, "\(error)")
    }
  }

  private func isFirst(_ request: String) -> Bool { seen.withLock { $0.insert(request).inserted } }
}
