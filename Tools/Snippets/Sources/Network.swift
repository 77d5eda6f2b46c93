import Foundation
import Streams
import StreamsFoundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

nonisolated private struct User: Codable, Equatable, Identifiable {
  let id: Int
  let name: String
}

nonisolated private enum APIError: LocalizedError {
  case status(Int)
  case transport(URLError)
  case malformed

  var errorDescription: String? {
    switch self {
    case .status(let code): "status \(code)"
    case .transport(let error): "transport \(error.code.rawValue)"
    case .malformed: "malformed"
    }
  }

  init(_ error: any Error) {
    switch error {
    case let error as APIError: self = error
    case let error as URLError: self = .transport(error)
    default: self = .malformed
    }
  }
}

/// It answers on threads of its session, so it belongs to no actor.
nonisolated private struct API {
  let session: URLSession
  let base = URL(string: "https://example.org")!

  func get<T: Decodable>(_ path: String) -> AnyPublisher<T, APIError> {
    session.dataTaskPublisher(for: base.appendingPathComponent(path))
      .tryMap { data, response in
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard 200..<300 ~= status else { throw APIError.status(status) }
        return data
      }
      .decode(type: T.self, decoder: JSONDecoder())
      .mapError(APIError.init)
      .eraseToAnyPublisher()
  }

  func user(_ id: Int) -> AnyPublisher<User, APIError> { get("users/\(id)") }
  func ids() -> AnyPublisher<[Int], APIError> { get("users") }

  func allUsers() -> AnyPublisher<[User], APIError> {
    ids()
      .flatMap { ids in Publishers.MergeMany(ids.map(user)).collect() }
      .map { $0.sorted { $0.id < $1.id } }
      .eraseToAnyPublisher()
  }
}

@MainActor
func network() async {
  let configuration = URLSessionConfiguration.ephemeral
  configuration.protocolClasses = [StubbedServer.self]
  let session = URLSession(configuration: configuration)
  let api = API(session: session)

  await run(api.user(1).map(\.name), "a user")
  await run(api.user(7), "nobody")
  await run(api.allUsers().map { $0.map(\.name) }, "all users")
  await run(api.get("broken") as AnyPublisher<User, APIError>, "broken")
  await run(api.get("unreachable") as AnyPublisher<User, APIError>, "unreachable")
  await run(api.get("flaky").retry(2) as Publishers.Retry<AnyPublisher<[Int], APIError>>, "third time")
  await run(api.user(7).map(\.name).replaceError(with: "<unknown>"), "replaced")
  await run(
    Publishers.Zip(api.user(1), api.user(2)).map { "\($0.name) and \($1.name)" }
      .catch { Just($0.localizedDescription) }, "both")

  var request = URLRequest(url: api.base.appendingPathComponent("echo"))
  request.httpMethod = "POST"
  await run(
    session.dataTaskPublisher(for: request).map { String(decoding: $0.data, as: UTF8.self) }
      .mapError(APIError.init), "posted")
}

@MainActor
private func run<P: Publisher>(_ publisher: P, _ name: String) async where P.Output: CustomStringConvertible {
  await show(publisher.map(\.description), name)
}

@MainActor
private func run<P: Publisher>(_ publisher: P, _ name: String) async where P.Output == User {
  await show(publisher.map { "\($0.id) \($0.name)" }, name)
}

@MainActor
private func show<P: Publisher>(_ publisher: P, _ name: String) async where P.Output == String {
  var cancellable: AnyCancellable?
  await wait { done in
    cancellable =
      publisher
      .receive(on: DispatchQueue.main)
      .sink(
        receiveCompletion: { completion in
          if case .failure(let error) = completion { print("\(name) failed:", error.localizedDescription) }
          done()
        },
        receiveValue: { print("\(name), on main \(Thread.isMainThread):", $0) })
  }
  cancellable?.cancel()
}
