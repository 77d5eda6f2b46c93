import Testing

@Suite("Effects that wait")
struct WaitingTests {
  private static var scheduling: Regex<(Substring, Substring?, Substring?)> {
    /schedule\(|on: (plan\.)?scheduler|DetachedTask\.|Task(\.detached)? \{|AsyncCall<|\.startTimer\(|\.dataTask\(/
  }
  /// Folders without publishers: schedulers, subscribers, and what operators are made of.
  private static let otherFolders: Set = ["Scheduling", "Schedulers", "Isolation", "Contract", "Engine"]
  private static let others: Set = [
    // Parts of operators of the table.
    "TimeGrouping", "SubscribeOnSubscription", "ReceiveOnSubscription", "RestartableTimer",
    // Schedulers.
    "MainActorScheduler",
    // Tested by themselves, on a run loop and with a server.
    "TimerPublisher", "DataTaskPublisher",
  ]

  @Test("Each source file with an effect that waits is in the table of released chains")
  func complete() throws {
    let table = try #require(TextFile(path: "Tests/StreamsTests/Operators/Timing/Waiting.swift")).text

    let waiting = Repository.sources.filter { file in
      let folders = file.path.split(separator: "/").dropFirst().dropLast().map(String.init)
      return ["Streams", "StreamsExtras", "StreamsFoundation", "StreamsFoundationExtras"].contains(folders[0])
        && Self.otherFolders.isDisjoint(with: folders) && file.text.contains(Self.scheduling)
    }
    let names = waiting.map { String($0.path.split(separator: "/").last ?? "").replacing(".swift", with: "") }

    #expect(names.filter { !table.contains("in: \"\($0)\"") && !Self.others.contains($0) } == [])
    #expect(Self.others.subtracting(names) == [])
  }
}
