import Foundation
import Streams

final class Thermometer { var celsius = 0.0 { didSet { print("shows \(celsius)") } } }

struct Settings { var name = "", size = 0 }

final class SettingsModel: ObservableObject {
  @Published var settings = Settings()
  @Published var headline = ""
  @Published var history: [String] = []

  init() {
    $settings.map(\.name).removeDuplicates().assign(to: &$headline)
    $headline.filter { !$0.isEmpty }.scan([]) { $0 + [$1] }.assign(to: &$history)
  }

  deinit { print("model is gone") }
}

/// Observes another model.
final class Mirrored: ObservableObject {
  @Published private(set) var copy = ""

  init(of model: SettingsModel) {
    model.$headline.map { String($0.reversed()) }.assign(to: &$copy)
  }
}

private final class Cell {
  var title: String? { didSet { print("title:", title ?? "nil") } }
  var isHidden = false
  private var subscriptions: [AnyCancellable] = []

  func bind(_ text: some Publisher<String, Never>) {
    subscriptions = [
      text.map(Optional.some).assign(to: \.title, on: self),
      text.map(\.isEmpty).assign(to: \.isHidden, on: self),
    ]
  }

  func prepareForReuse() { subscriptions.removeAll() }

  deinit { print("cell is gone") }
}

@MainActor
func assigning() async {
  let thermometer = Thermometer()
  let readings = PassthroughSubject<Double, Never>()
  let assignment = readings.assign(to: \.celsius, on: thermometer)
  readings.send(20.5)
  readings.send(21)
  assignment.cancel()
  readings.send(22)
  _ = [1.5, 2.5].publisher.assign(to: \.celsius, on: thermometer)

  var model: SettingsModel? = SettingsModel()
  let mirrored = Mirrored(of: model!)
  model?.settings.name = "Ada"
  model?.settings.size = 3
  model?.settings = Settings(name: "Grace", size: 4)
  print("headline:", model?.headline ?? "", "copy:", mirrored.copy)
  print("history:", model?.history ?? [])
  // Nothing is kept alive by assign(to: &).
  model = nil

  // assign(to:on:) keeps its object until it is cancelled.
  let texts = CurrentValueSubject<String, Never>("one")
  var cell: Cell? = Cell()
  weak let observed = cell
  cell?.bind(texts)
  texts.send("two")
  cell = nil
  print("kept:", observed != nil)
  texts.send("")
  print("hidden:", observed?.isHidden ?? false)
  observed?.prepareForReuse()
  print("let go:", observed == nil)
}
