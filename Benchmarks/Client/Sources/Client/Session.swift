#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

/// Who is signed in.
final class Session {
  private let state = CurrentValueSubject<User?, Never>(nil)
  private let network: Network
  private var signingIn: AnyCancellable?

  init(network: Network) {
    self.network = network
  }

  var user: AnyPublisher<User?, Never> { state.removeDuplicates().eraseToAnyPublisher() }
  var isMember: AnyPublisher<Bool, Never> {
    state.map { $0?.isMember ?? false }.removeDuplicates().eraseToAnyPublisher()
  }

  func signIn(name: String, password: String) -> AnyPublisher<User, ShopError> {
    Future { [self] promise in
      guard password.count > 3 else { return promise(.failure(.refused("password"))) }
      signingIn = network.value("users/\(name)", as: User.self)
        .sink(
          receiveCompletion: { if case .failure(let error) = $0 { promise(.failure(error)) } },
          receiveValue: { promise(.success($0)) })
    }
    .handleEvents(receiveOutput: { [state] in state.send($0) })
    .eraseToAnyPublisher()
  }

  func signOut() {
    state.send(nil)
  }
}
