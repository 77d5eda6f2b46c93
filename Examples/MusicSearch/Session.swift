import Foundation
import StreamImages
import StreamsExtras
import StreamsFoundationExtras
import StreamsTesting
import Studio

/// One run of the program: lines go into the search field, what is found comes out.
@MainActor
final class Session {
  static let help = """
    any text searches · /down · /up · /show NUMBER · /wait (until all is shown) · /quit
      in scripts: /pause MILLISECONDS · /asked TERM and /answered TERM (wait for the server)
    """

  private let server: MusicServer
  private let model: SearchModel
  private let table: Table
  private let screen = Screen()
  /// In scripts nobody waits for time to pass: the script says when it does.
  private let scriptedTime: TestSchedulerOf<DispatchQueue>?
  private var subscriptions: Set<AnyCancellable> = []

  init(_ server: MusicServer, isScripted: Bool) {
    let pipeline = ImagePipeline {
      $0.dataLoader = SchemeLoader.withoutProxy
      $0.dataCache = nil
      $0.imageCache = ImageCache()
    }
    self.server = server
    scriptedTime = isScripted ? DispatchQueue.test : nil
    table = Table(pipeline)
    model = SearchModel(
      SongService(address: server.searchAddress, loader: pipeline),
      scheduler: scriptedTime?.eraseToAnyScheduler() ?? .main)

    model.$state
      .sink { [screen, table] state in
        screen.show(state)
        switch state {
        case .found(let songs, _): table.show(songs)
        case .empty, .failed: table.show([])
        case .searching: break
        }
      }
      .store(in: &subscriptions)
    table.$isSettled
      .removeDuplicates()
      .dropFirst()
      .filter(\.self)
      .sink { [screen, table] _ in screen.show(table) }
      .store(in: &subscriptions)
  }

  /// - Returns: Whether there is to be another line.
  func perform(_ line: String) async -> Bool {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    switch (words.first, words.count) {
    case ("/down", 1): table.scroll(by: Table.rowCount)
    case ("/up", 1): table.scroll(by: -Table.rowCount)
    case ("/show", 2): screen.show(detailsOf: Int(words[1]) ?? 0, in: table)
    case ("/wait", 1): await settle()
    case ("/quit", 1): return false
    case (_, 2) where line.hasPrefix("/") && scriptedTime != nil: await stage(words[0], words[1])
    case _ where line.hasPrefix("/"): Console.say("  \(Self.help)")
    default: model.text = line
    }
    return true
  }

  /// What a script does to bring about what would need luck otherwise. It never waits for what does not come.
  private func stage(_ command: String, _ word: String) async {
    switch command {
    case "/pause":
      if let time = Int(word), (0...60_000).contains(time) {
        pass(time)
      } else {
        Console.say("  \(Self.help)")
      }
    case "/asked" where model.state == .searching(word): await server.request(for: word)
    case "/answered" where server.wasAsked(for: word):
      let isAnswered = await server.answer(to: word)
      Console.say("  the search for \"\(word)\" was \(isAnswered ? "answered" : "abandoned")")
    default: Console.say("  \(Self.help)")
    }
  }

  /// Returns when the table shows what the field asks for, with all artwork.
  func settle() async {
    pass(SearchModel.pause)
    let isSettled = model.$text
      .combineLatest(model.$state, table.$isSettled) { text, state, isSettled in
        isSettled && state.answeredTerm == SearchModel.term(text)
      }
      .filter(\.self)
      .first()
    for await _ in isSettled.values {}
  }

  /// Lets so many milliseconds pass in a script, here on the main actor.
  private func pass(_ milliseconds: Int) { scriptedTime?.advance(by: .milliseconds(milliseconds)) }
}
