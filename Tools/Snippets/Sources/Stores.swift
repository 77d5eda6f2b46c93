import Foundation
import Streams
import StreamsFoundation

/// A store with a reducer and effects, as many apps have one.
private final class Store<State, Action>: ObservableObject {
  typealias Reducer = (inout State, Action) -> AnyPublisher<Action, Never>?

  @Published private(set) var state: State
  private let reducer: Reducer
  private var effects: [UUID: AnyCancellable] = [:]

  init(_ state: State, reducer: @escaping Reducer) {
    self.state = state
    self.reducer = reducer
  }

  func send(_ action: Action) {
    var state = state
    let effect = reducer(&state, action)
    self.state = state
    guard let effect else { return }
    let id = UUID()
    var isOver = false
    let cancellable = effect.sink(
      receiveCompletion: { [weak self] _ in
        isOver = true
        self?.effects[id] = nil
      },
      receiveValue: { [weak self] in self?.send($0) })
    if !isOver { effects[id] = cancellable }
  }

  func select<Value: Equatable>(_ keyPath: KeyPath<State, Value>) -> AnyPublisher<Value, Never> {
    $state.map(keyPath).removeDuplicates().eraseToAnyPublisher()
  }
}

private struct AppState: Equatable, Codable {
  var items: [String] = []
  var isLoading = false
  var selection: Int?
}

private enum AppAction {
  case load
  case loaded([String])
  case select(Int)
}

private func reduce(_ state: inout AppState, _ action: AppAction) -> AnyPublisher<AppAction, Never>? {
  switch action {
  case .load:
    state.isLoading = true
    return Just(AppAction.loaded(["x", "y"]))
      .delay(for: .milliseconds(1), scheduler: DispatchQueue.main)
      .eraseToAnyPublisher()
  case .loaded(let items):
    state.items = items
    state.isLoading = false
    return Just(.select(0)).eraseToAnyPublisher()
  case .select(let index):
    state.selection = index
    return nil
  }
}

/// Keeps what it is told, encoded.
private final class Archive {
  private(set) var saved: [Data] = []
  private var cancellable: AnyCancellable?

  init(_ states: some Publisher<AppState, Never>) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    cancellable =
      states
      .encode(encoder: encoder)
      .assertNoFailure()
      .sink { [weak self] in self?.saved.append($0) }
  }
}

@MainActor
func stores() async {
  let store = Store(AppState(), reducer: reduce)
  var bag = Set<AnyCancellable>()
  store.select(\.isLoading).sink { print("loading:", $0) }.store(in: &bag)
  store.select(\.items).sink { print("items:", $0) }.store(in: &bag)
  let archive = Archive(store.$state.dropFirst().removeDuplicates())
  await wait { done in
    store.select(\.selection)
      .compactMap { $0 }
      .first()
      .sink {
        print("selected:", $0)
        done()
      }
      .store(in: &bag)
    store.send(.load)
  }
  print("state:", store.state.items, store.state.isLoading)
  store.send(.select(1))
  archive.saved.forEach { print(String(decoding: $0, as: UTF8.self)) }

  archive.saved.publisher
    .decode(type: AppState.self, decoder: JSONDecoder())
    .map(\.selection)
    .last()
    .replaceError(with: nil)
    .sink { print("decoded selection:", $0 ?? -1) }
    .store(in: &bag)
  Just(Data("{".utf8))
    .decode(type: AppState.self, decoder: JSONDecoder())
    .map { _ in "never" }
    .catch { Just($0 is DecodingError ? "a decoding error" : "another error") }
    .sink { print($0) }
    .store(in: &bag)
}
