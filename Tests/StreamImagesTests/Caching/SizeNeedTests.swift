import ImageCodecs
import StreamImages
import Testing

@Suite("`SizeNeed`")
struct SizeNeedTests {
  @Test("An exact need accepts one pixel more or less on each side, and no more")
  func exactly() {
    let need = SizeNeed.exactly(PixelSize(width: 100, height: 200))
    for width in 97...103 {
      for height in 197...203 {
        let isMet = need.isMet(by: PixelSize(width: width, height: height))
        #expect(isMet == ((99...101).contains(width) && (199...201).contains(height)), "\(width) × \(height)")
      }
    }
  }

  @Test("A need of at least a size accepts each that is as large on both sides")
  func atLeast() {
    let need = SizeNeed.atLeast(PixelSize(width: 100, height: 200))
    for (width, height, isMet) in [
      (100, 200, true), (101, 201, true), (99, 200, false), (100, 199, false), (1_000, 199, false),
    ] {
      #expect(need.isMet(by: PixelSize(width: width, height: height)) == isMet)
    }
  }
}
