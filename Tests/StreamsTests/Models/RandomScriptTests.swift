import ScriptedModels
import Testing

@Suite("Random scripts", .atMostTenIssues)
struct RandomScriptTests {
  @Test("A random script depends only on its seed")
  func seeds() {
    let scripts = [1, 1, 2].map { (seed: UInt64) in
      var numbers = SplitMix64(seed: seed)
      return StepCodec.steps(24, from: &numbers)
    }

    #expect(scripts[0].count == 24)
    #expect(scripts[0] == scripts[1])
    #expect(scripts[0] != scripts[2])
  }

  @Test("A random script can be decoded from any bytes, two for each step")
  func bytes() {
    let all = (0...UInt8.max).flatMap { [$0, $0 &* 7] }

    #expect(StepCodec.steps(all).count == 256)
    #expect(StepCodec.steps([0, 9, 17]) == [.line(1, .value(1)), .cancel(0)])
    #expect(StepCodec.steps([]) == [])
  }

  @Test("Random scripts contain steps of every kind")
  func kinds() {
    let steps = StepCodec.steps((0..<32).flatMap { code in (0...UInt8.max).flatMap { [code, $0] } })
    let kinds = Set(steps.map { $0.description.prefix { $0 != "(" } })
    let reactions = Set(
      steps.filter { $0.description.hasPrefix(".onDelivery") }.map { $0.description.prefix(17) })

    #expect(
      kinds == [
        ".line", ".request", ".cancel", ".join", ".advance", ".onDelivery", ".onRequest", ".onSubscription",
      ])
    #expect(reactions.count == 5)
  }

  @Test("Shrinking reduces a random script to its essential steps, in their simplest form")
  func shrinks() {
    var numbers = SplitMix64(seed: 3)
    let long = StepCodec.steps(100, from: &numbers) + [.cancel(5), .advance(7)]

    let short = Shrinking.shortest(long) { steps in
      guard let place = steps.firstIndex(where: { if case .cancel = $0 { true } else { false } }) else {
        return false
      }
      return steps[place...].contains { if case .advance(let seconds) = $0 { seconds > 2 } else { false } }
    }

    #expect(short == [.cancel(0), .advance(3)])
  }

  @Test("The description of a random script lists its steps as source code")
  func story() throws {
    let zip = try #require(Registry["zip"])

    let story = zip.story(of: [.request(0, .some(1)), .line(0, .value(1)), .line(1, .value(2))])

    #expect(story.contains(".line(1, .value(2))"))
    #expect(story.contains("  sent: value(0, [1, 2])"))
  }
}
