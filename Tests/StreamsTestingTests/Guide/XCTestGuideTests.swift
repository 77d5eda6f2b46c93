import Streams
import StreamsTesting
import XCTest

/// The kit imports no test library: under XCTest it is used in the same way.
final class XCTestGuideTests: XCTestCase {
  func testRecordersAreWaitedFor() async throws {
    let recorder = [1, 2, 3].publisher.record()

    let elements = try await recorder.elements()

    XCTAssertEqual(elements, [1, 2, 3])
  }

  func testMarblesAreDrawn() throws {
    XCTAssertEqual(try Marble("ab|").play { $0.delay(for: 2, scheduler: $1) }, "--ab|")
  }

  func testLawsAreChecked() {
    let report = checkLaws { $0.map { $0 + 1 } }

    XCTAssertTrue(report.violations.isEmpty, "\(report)")
  }
}
