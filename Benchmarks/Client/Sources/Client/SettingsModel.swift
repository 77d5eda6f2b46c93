#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

@MainActor
final class SettingsModel: ObservableObject {
  @Published private(set) var summary = ""
  @Published private(set) var journal: [String] = []
  private let settings: Settings
  private var subscriptions = Set<AnyCancellable>()

  init(settings: Settings) {
    self.settings = settings
    settings.$currency
      .zip(settings.$isDark)
      .map { "\($0), \($1 ? "dark" : "light")" }
      .sink { [weak self] in self?.summary = $0 }
      .store(in: &subscriptions)
    settings.changes
      .buffer(size: 8, prefetch: .keepFull, whenFull: .dropOldest)
      .scan([]) { $0 + [$1] }
      .assign(to: &$journal)
    settings.$pageSize
      .dropFirst()
      .filter { $0 > 0 }
      .sink { Log.shared.note("page size \($0)") }
      .store(in: &subscriptions)
  }

  func choose(currency: String, dark: Bool) {
    settings.currency = currency
    settings.isDark = dark
  }
}
