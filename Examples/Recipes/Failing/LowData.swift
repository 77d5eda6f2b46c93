import StreamImages
import Studio
import Synchronization

extension Recipe {
  static let lowData = Recipe("lowData", "the small image in low-data mode") { kitchen in
    let isConstrained = Mutex(true)
    let url = try kitchen.painting(1)
    let picture = kitchen.pipeline.sparing(ImageRequest(url: url), orElse: kitchen.small(url)) {
      isConstrained.withLock { $0 }
    }

    try await picture.run { kitchen.say("spared: \($0.image.size)") }
    isConstrained.withLock { $0 = false }
    try await picture.run { kitchen.say("not spared: \($0.image.size)") }
    isConstrained.withLock { $0 = true }
    try await picture.run { kitchen.say("spared, but in memory: \($0.image.size)") }
  }
}
