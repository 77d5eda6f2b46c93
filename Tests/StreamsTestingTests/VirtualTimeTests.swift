import StreamsTesting
import Testing

@Suite("`VirtualTime`")
struct VirtualTimeTests {
  @Test("A virtual stride is created from every unit of time")
  func units() {
    #expect(VirtualTime.Stride.seconds(2).nanoseconds == 2_000_000_000)
    #expect(VirtualTime.Stride.seconds(0.5).nanoseconds == 500_000_000)
    #expect(VirtualTime.Stride.milliseconds(3).nanoseconds == 3_000_000)
    #expect(VirtualTime.Stride.microseconds(4).nanoseconds == 4000)
    #expect(VirtualTime.Stride.nanoseconds(5).nanoseconds == 5)
  }

  @Test("A literal virtual stride counts seconds")
  func literals() {
    #expect(2 as VirtualTime.Stride == .milliseconds(2000))
    #expect(0.25 as VirtualTime.Stride == .milliseconds(250))
  }

  @Test("Virtual times and strides support arithmetic and comparison")
  func arithmetic() {
    let start = VirtualTime(1)

    #expect(start.advanced(by: 2) == VirtualTime(3))
    #expect(start.distance(to: VirtualTime(4)) == 3)
    #expect(VirtualTime(1) < VirtualTime(2))
    #expect(2 * 3 as VirtualTime.Stride == 6)
    #expect((-2 as VirtualTime.Stride).magnitude == 2)
  }

  @Test("Virtual stride arithmetic saturates instead of overflowing")
  func saturates() {
    let most = VirtualTime.Stride.nanoseconds(.max)
    let least = VirtualTime.Stride.nanoseconds(.min)

    #expect(most + 1 == most)
    #expect(least - 1 == least)
    #expect(VirtualTime.Stride.seconds(Int.max) == most)
    #expect(VirtualTime.Stride.seconds(-1e30) == least)
    #expect(VirtualTime.Stride.seconds(.nan) == 0)
    #expect(VirtualTime.Stride.seconds(.infinity) == most)
    #expect(most * 2 == most)
    #expect(least.magnitude == most)
  }

  @Test("The product of virtual strides keeps its last nanoseconds", arguments: [1, -1])
  func products(sign: Int) {
    let long = VirtualTime.Stride.nanoseconds(sign * 9_007_199_254_740_993)

    #expect(long * 1 == long)
  }
}
