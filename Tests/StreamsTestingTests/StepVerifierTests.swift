import Streams
import StreamsTesting
import Testing

@Suite("`StepVerifier`")
struct StepVerifierTests {
  @Test("Steps that match the stream report no differences")
  func right() {
    let scheduler = VirtualScheduler.virtual

    let counted = (1...3).publisher.steps(demand: .max(2)).expectNext(1, 2).expectNoMore()
      .thenRequest(.max(1)).expectNext(3).expectFinished().verify()
    let late = Just(1).delay(for: .seconds(1), scheduler: scheduler).steps()
      .expectNoMore().then { scheduler.advance(by: .seconds(1)) }.expectNext(1).expectFinished().verify()
    let failing = Fail<Int, TestFailure>(error: .scripted).steps().expectFailure { $0 == .scripted }.verify()

    #expect(counted == [])
    #expect(late == [])
    #expect(failing == [])
  }

  @Test("Steps that do not match report what arrived instead")
  func wrong() {
    let wrong = [1, 2].publisher.steps().expectNext(1, 3).expectNoMore().expectFailure().verify()
    let silent = PassthroughSubject<Int, Never>().steps().expectFinished().thenCancel().verify()

    #expect(
      wrong == ["expected [1, 3], but [1, 2] arrived", "expected another failure, but finished arrived"])
    #expect(silent == ["expected the end, but nothing arrived"])
  }
}
