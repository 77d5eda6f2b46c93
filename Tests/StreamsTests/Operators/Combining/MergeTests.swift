import Streams
import StreamsTesting
import Testing

@Suite("`merge`", .leavesNothing)
struct MergeTests {
  @Test("A merge of merged publishers is a single stage")
  func chains() {
    let one = Just(1)

    #expect("\(type(of: one.merge(with: [2].publisher).merge(with: one)))".hasPrefix("Merge3<"))
    #expect("\(type(of: one.merge(with: [2].publisher, one).merge(with: one, one)))".hasPrefix("Merge5<"))
    #expect(
      "\(type(of: one.merge(with: [2].publisher, one, one, one, one).merge(with: one, one)))".hasPrefix(
        "Merge8<"))
    #expect(one.merge(with: one).merge(with: one).publishers.count == 3)
  }

  @Test("A merge of merged publishers forwards all values, in the publishers' order")
  func chainedValues() {
    let publishers = (0..<8).map { [$0].publisher }
    let (a, b, c, d) = (publishers[0], Just(1), publishers[2], Just(3))
    let (e, f, g, h) = (publishers[4], Just(5), publishers[6], Just(7))

    let chained = a.merge(with: b).merge(with: c).merge(with: d).merge(with: e).merge(with: f).merge(with: g)
      .merge(with: h)
    let grouped = a.merge(with: b, c, d).merge(with: e, f, g, h)

    #expect(chained.record().values == Array(0..<8))
    #expect(grouped.record().values == Array(0..<8))
    #expect(a.merge(with: b, c, d, e, f, g, h).record().values == Array(0..<8))
  }

  @Test("A merge of no publishers finishes at once")
  func none() {
    let recorder = Publishers.MergeMany<Just<Int>>().record(demand: .none)

    #expect(recorder.events == [.subscription, .completion(.finished)])
  }
}
