import Streams
import StreamsTesting
import Testing

@Suite("`Optional.Publisher`", .leavesNothing)
struct OptionalPublisherTests {
  @Test("Two optionals' publishers are equal if their values are equal or both nil")
  func equality() {
    #expect(Optional(1).publisher == Optional<Int>.Publisher(1))
    #expect(Optional(1).publisher != Int?.none.publisher)
    #expect(Int?.none.publisher == Optional<Int>.Publisher(nil))
    #expect(Optional(1).publisher.output == 1)
  }
}
