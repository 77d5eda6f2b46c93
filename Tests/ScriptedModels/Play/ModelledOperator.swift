public import Streams

/// An operator, and the model that says what it does.
public struct ModelledOperator {
  public let name: String
  let sources: Int
  /// How many may subscribe at a time.
  let downstreams: Int
  let makeModel: () -> any Model
  /// Makes the publisher once; the answer subscribes to it.
  let build: (Stage) -> (Play, Int) -> Void

  /// - Parameters:
  ///   - sources: How many upstreams it has.
  ///   - tell: How its output is told to the model.
  public init<Made: Publisher>(
    _ name: String, sources: Int = 1, downstreams: Int = 1, model: @escaping () -> any Model,
    tell: @escaping (Made.Output) -> [Int], make: @escaping (Stage) -> Made
  ) {
    self.name = name
    self.sources = sources
    self.downstreams = downstreams
    makeModel = model
    build = { stage in
      let publisher = make(stage)
      return { play, number in
        let downstream = Downstream<Made.Output, Made.Failure>(number, of: play, tell: tell)
        play.expect(downstream, at: number)
        publisher.subscribe(downstream)
      }
    }
  }

  public init<Made: Publisher<Int, Failure>, Failure: Error>(
    _ name: String, sources: Int = 1, downstreams: Int = 1, model: @escaping () -> any Model,
    make: @escaping (Stage) -> Made
  ) {
    self.init(
      name, sources: sources, downstreams: downstreams, model: model, tell: { [$0] }, make: make)
  }

  /// The same operator against another model.
  public func against(_ model: @escaping () -> any Model) -> Self {
    Self(name: name, sources: sources, downstreams: downstreams, makeModel: model, build: build)
  }

  private init(
    name: String, sources: Int, downstreams: Int, makeModel: @escaping () -> any Model,
    build: @escaping (Stage) -> (Play, Int) -> Void
  ) {
    self.name = name
    self.sources = sources
    self.downstreams = downstreams
    self.makeModel = makeModel
    self.build = build
  }

  /// Plays `steps`. The answer is what was wrong; `nil` if the operator does as its model.
  public func fault(in steps: [Step]) -> String? { Play.run(self, steps) }

  /// What happens in `steps`, line by line.
  public func story(of steps: [Step]) -> [String] {
    let play = Play(self, isTelling: true)
    play.run(steps)
    return play.story
  }

  /// The first fault in random scripts.
  public func firstFinding(in scripts: Int, steps: Int, seed: UInt64) -> Finding? {
    var numbers = SplitMix64(seed: seed)
    for _ in 0..<scripts {
      if let finding = finding(in: StepCodec.steps(steps, from: &numbers)) { return finding }
    }
    return nil
  }

  /// The shortest script found that shows the fault that `steps` shows, ready for a test.
  public func finding(in steps: [Step]) -> Finding? {
    guard fault(in: steps) != nil else { return nil }
    let shortest = Shrinking.shortest(steps) { fault(in: $0) != nil }
    return Finding(name: name, steps: shortest, fault: fault(in: shortest) ?? "", story: story(of: shortest))
  }
}

/// Where an operator and its model part.
public struct Finding: CustomStringConvertible, Sendable {
  public let name: String
  public let steps: [Step]
  public let fault: String
  public let story: [String]

  public var description: String {
    let script = steps.map { "    \($0)," }.joined(separator: "\n")
    return """
      \(name): \(fault)
      (
        "\(name)",
        [
      \(script)
        ]
      ),
      \(story.joined(separator: "\n"))
      """
  }
}
