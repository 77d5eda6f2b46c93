import StreamsGTK
import Testing

/// Widgets need a display, and the time of a transition does not.
@Suite("A fading picture")
struct FadingPictureTests {
  @Test(
    "fades as long as its transition, or as long as GTK can count",
    arguments: [
      (Duration.milliseconds(250), 250), (.zero, 0), (.seconds(-1), 0), (.microseconds(1900), 1),
      (.seconds(4_294), 4_294_000), (.seconds(1 << 32), 4_294_967), (.seconds(Int64.max), 4_294_967),
      (.seconds(Int64.min), 0),
    ] as [(Duration, UInt32)])
  func duration(_ transition: Duration, _ milliseconds: UInt32) {
    #expect(transition.ofTransition == milliseconds)
  }
}
