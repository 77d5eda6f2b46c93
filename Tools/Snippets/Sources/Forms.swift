import Foundation
import Streams

final class SignUpForm: ObservableObject {
  @Published var name = ""
  @Published var password = ""
  @Published var repeated = ""
  @Published var acceptsTerms = false
  @Published private(set) var problems: [String] = []
  @Published private(set) var canSubmit = false

  private var cancellables = Set<AnyCancellable>()

  private var nameProblem: AnyPublisher<String?, Never> {
    $name
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .removeDuplicates()
      .map { $0.count < 3 ? "name too short" : nil }
      .eraseToAnyPublisher()
  }

  private var passwordProblem: AnyPublisher<String?, Never> {
    Publishers.CombineLatest($password, $repeated)
      .map { password, repeated in
        if password.count < 8 { return "password too short" }
        if password != repeated { return "passwords differ" }
        return nil
      }
      .eraseToAnyPublisher()
  }

  init() {
    Publishers.CombineLatest3(nameProblem, passwordProblem, $acceptsTerms)
      .map { name, password, accepts in
        [name, password, accepts ? nil : "terms not accepted"].compactMap { $0 }
      }
      .removeDuplicates()
      .assign(to: \.problems, on: self)
      .store(in: &cancellables)

    $problems
      .map(\.isEmpty)
      .removeDuplicates()
      .sink { [weak self] in self?.canSubmit = $0 }
      .store(in: &cancellables)
  }
}

private enum Strength: Int, Comparable {
  case weak, fair, strong

  init(_ password: String) {
    let kinds = [
      password.contains(where: \.isLetter), password.contains(where: \.isNumber),
      password.contains { !$0.isLetter && !$0.isNumber },
    ]
    self = Strength(rawValue: max(kinds.filter { $0 }.count - 1, 0))!
  }

  static func < (left: Strength, right: Strength) -> Bool { left.rawValue < right.rawValue }
}

@MainActor
func forms() async {
  let form = SignUpForm()
  var bag = Set<AnyCancellable>()
  form.$problems.sink { print("problems:", $0) }.store(in: &bag)
  form.$canSubmit.sink { print("can submit:", $0) }.store(in: &bag)
  form.name = "Ada"
  form.password = "correct horse"
  form.repeated = "correct horse"
  form.acceptsTerms = true
  form.repeated = "wrong"

  let password = CurrentValueSubject<String, Never>("")
  password
    .map(Strength.init)
    .removeDuplicates()
    .scan((Strength.weak, Strength.weak)) { ($0.1, $1) }
    .map { $0 < $1 ? "better: \($1)" : "now: \($1)" }
    .sink(receiveValue: { print($0) })
    .store(in: &bag)
  password.value = "abc"
  password.value = "abc1"
  password.value = "abc12"
  password.send("abc12!")
  password.send("abc")

  let fields = (0..<4).map { CurrentValueSubject<Bool, Never>($0 == 3) }
  fields[0].combineLatest(fields[1], fields[2], fields[3]) { $0 && $1 && $2 && $3 }
    .removeDuplicates()
    .sink { print("all four:", $0) }
    .store(in: &bag)
  fields.forEach { $0.send(true) }
}
