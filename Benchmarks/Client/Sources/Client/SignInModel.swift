import Foundation

#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

@MainActor
final class SignInModel: ObservableObject {
  @Published var name = ""
  @Published var password = ""
  @Published private(set) var isValid = false
  @Published private(set) var greeting = ""
  @Published private(set) var problem: String?
  private let session: Session
  private var subscriptions = Set<AnyCancellable>()

  init(session: Session) {
    self.session = session
    $name
      .zip($password)
      .map { !$0.isEmpty && $1.count > 3 }
      .removeDuplicates()
      .assign(to: &$isValid)
    session.user
      .compactMap { $0?.name.capitalized }
      .map { "Welcome, \($0)" }
      .sink { [weak self] in self?.greeting = $0 }
      .store(in: &subscriptions)
  }

  func signIn() {
    session.signIn(name: name, password: password)
      .map { _ in String?.none }
      .catch { Just($0.message) }
      .sink { [weak self] in self?.problem = $0 }
      .store(in: &subscriptions)
  }
}
