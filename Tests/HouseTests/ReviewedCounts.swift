/// How often each module asks to be believed. A number changes only when somebody has read the new place, and agrees.
let reviewedCounts: [Vouched: [String: Int]] = [
  .uncheckedSendable: [
    "ImageCodecs": 1, "Interleavings": 3, "InterleavingsStreams": 1, "StreamImages": 2, "Streams": 25,
    "StreamsExtras": 4, "StreamsFoundation": 2,
    "StreamsTesting": 6,
  ],
  .unsafeIsolation: [:],
  .transfer: ["Streams": 1, "StreamsExtras": 4, "StreamsFoundation": 5],
]
