import Streams
import StreamsTesting
import Testing

@Suite("`replaceEmpty`", .leavesNothing)
struct ReplaceEmptyTests {
  @Test("`replaceEmpty` is equal to another one with the same upstream and value")
  func equality() {
    let values = [1].publisher

    #expect(values.replaceEmpty(with: 1) == values.replaceEmpty(with: 1))
    #expect(values.replaceEmpty(with: 1) != values.replaceEmpty(with: 2))
  }
}
