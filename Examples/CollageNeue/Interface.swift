import Foundation
import StreamImages
import Studio

/// Commands in, lines out. What may be done is what the model's streams said last.
@MainActor
final class Interface {
  private let model: CollageModel
  private let album: Album
  private let pipeline = ImagePipeline { $0.dataCache = nil }
  private let terminal = Terminal()
  private var controls = Controls(photoCount: 0)
  private var picker: Picker?
  private var subscriptions: Set<AnyCancellable> = []
  private(set) var errorCount = 0

  init(_ model: CollageModel, album: Album) {
    self.model = model
    self.album = album
    model.controls
      .sink { [weak self] controls in self?.controls = controls }
      .store(in: &subscriptions)
    model.$preview
      .dropFirst()
      .sink { [weak self] preview in self?.show(preview) }
      .store(in: &subscriptions)
    model.$lastSaved.compactMap(\.self)
      .sink { Console.say("  saved as \($0)") }
      .store(in: &subscriptions)
    model.$lastError.compactMap(\.self)
      .sink { [weak self] message in
        self?.errorCount += 1
        Console.say("  error: \(message)")
      }
      .store(in: &subscriptions)
    model.bind()
  }

  /// - Returns: Whether there is to be another command.
  func perform(_ line: String) async -> Bool {
    guard let command = Command(line) else {
      Console.say("  \"\(line)\"? There are: \(Command.usage)")
      return true
    }
    switch command {
    case .help: Console.say("  \(Command.usage)")
    case .quit: return false
    case .add: await add()
    case .pick(let number): await pick(number)
    case .done: picker?.close()
    case .save where controls.canSave: await save()
    case .clear where controls.canClear: model.clear()
    case .save, .clear: Console.say("  \(line) is disabled")
    }
    return true
  }

  private func add() async {
    guard controls.canAdd, picker == nil else { return Console.say("  add is disabled") }
    for await isAuthorized in model.authorize().values where isAuthorized { present(model.presentPicker()) }
  }

  private func present(_ picker: Picker) {
    self.picker = picker
    let names = album.names.enumerated().map { "\($0 + 1) \($1)" }
    Console.say("  pick: \(names.joined(separator: " · "))")
    picker.$isOpen.filter { !$0 }
      .sink { [weak self, weak picker] _ in
        Console.say("  the picker closes, \(picker?.count ?? 0) picked")
        self?.picker = nil
      }
      .store(in: &subscriptions)
  }

  private func pick(_ number: Int) async {
    guard let picker else { return Console.say("  nothing to pick from: add first") }
    guard let request = album.request(number) else { return Console.say("  there is no photo \(number)") }
    do throws(ImagePipeline.Error) {
      try await pipeline.imagePublisher(with: request).run { picker.pick($0.image) }
    } catch {
      errorCount += 1
      Console.say("  error: \(error)")
    }
  }

  private func save() async {
    do throws(PhotoWriter.Error) {
      try await model.save().run { _ in }
    } catch {
      // The model has said so.
    }
  }

  private func show(_ preview: Image?) {
    Console.say("  \(controls)")
    guard let preview, let colors = terminal.colors else { return }
    let small = try? preview.resized(to: ResizeTarget(width: 48, height: 32, mode: .fit))
    for line in small?.lines(colors) ?? [] { Console.say("  \(line)") }
  }
}
