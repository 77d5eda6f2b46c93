import Streams
import StreamsTesting
import Testing

@Suite("`CombineIdentifier`", .leavesNothing)
struct CombineIdentifierTests {
  @Test("A new `CombineIdentifier` differs from all others, even between threads")
  func unique() {
    let gathered = Guarded<Set<CombineIdentifier>>([])
    let gather: @Sendable () -> Void = {
      let mine = (0..<500).map { _ in CombineIdentifier() }
      gathered.withLock { $0.formUnion(mine) }
    }

    race(gather, gather)
    let count = gathered.withLock(\.count)

    #expect(count == 1000)
  }

  @Test("A `CombineIdentifier` of the same object is the same")
  func objects() {
    final class Thing: CustomCombineIdentifierConvertible {}
    let (one, another) = (Thing(), Thing())

    #expect(CombineIdentifier(one) == CombineIdentifier(one))
    #expect(CombineIdentifier(one) != CombineIdentifier(another))
    #expect(one.combineIdentifier == CombineIdentifier(one))
  }

  @Test("The description of a `CombineIdentifier` is a hexadecimal number")
  func description() throws {
    let text = CombineIdentifier().description

    #expect(text.hasPrefix("0x"))
    #expect(UInt(text.dropFirst(2), radix: 16) != nil)
  }

  @Test("The `CombineIdentifier` of a subscription stays the same after cancellation")
  func subscriptions() {
    let recorder = Script(Int.self, failure: Never.self).prefix { _ in true }.record()

    let before = recorder.subscriptions[0].combineIdentifier
    recorder.cancel()

    #expect(recorder.subscriptions[0].combineIdentifier == before)
    #expect(Subscriptions.empty.combineIdentifier == Subscriptions.empty.combineIdentifier)
  }
}
