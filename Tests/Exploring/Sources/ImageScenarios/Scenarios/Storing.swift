import Foundation
import Interleavings
@testable import StreamImages

/// Entries that are written by tasks, each with a version.
private final class Writer: @unchecked Sendable {  // fibers share one thread
  let pending: PendingWrites
  private(set) var written: [Int] = []
  private(set) var inside = 0
  private let object = Explorer.shared.newObject()
  /// Nothing may be written from now on.
  var isClosed = false

  init(limit: Int = 100) { pending = PendingWrites(limit: limit) }

  /// Begins a version, and returns what writes it.
  func begin(_ version: Int, _ key: DataCacheKey = Writer.key, byteCount: Int = 1, job: UInt64? = nil)
    -> PendingWrites.Ticket?
  {
    pending.begin(key, byteCount, EncodedImage(version), job: job)
  }

  func write(_ version: Int, _ ticket: PendingWrites.Ticket) async {
    try? await pending.write(ticket) { () throws(DataCacheError) in
      Explorer.shared.checkNoLockIsHeld("writing")
      if inside > 0 { Explorer.shared.fail("W1: two writes to one key at a time") }
      if isClosed { Explorer.shared.fail("W2: written after it was dropped") }
      inside += 1
      Explorer.shared.point(object)
      written.append(version)
      Explorer.shared.point(object)
      inside -= 1
    }
    pending.end(ticket)
  }

  static let key = DataCacheKey("a")
}

extension ImageScenario {
  static var storing: [ImageScenario] { writes + permits + sessions }

  private static func writing(
    _ name: String, limit: Int = 100, _ make: @escaping (Play, Writer) -> (() -> String?)
  ) -> ImageScenario {
    ImageScenario("PendingWrites: \(name)") { play in
      let writer = Writer(limit: limit)
      let check = make(play, writer)
      return {
        if writer.pending[Writer.key] != nil { return "W3: an entry is still pending" }
        return check()
      }
    }
  }

  /// The newest version of an entry is written last, and nothing is written that was dropped.
  private static var writes: [ImageScenario] {
    [
      writing("two versions") { play, writer in
        let first = writer.begin(1)!
        let second = writer.begin(2)!
        play.task { await writer.write(1, first) }
        play.task { await writer.write(2, second) }
        return { writer.written.last == 2 ? nil : "W4: \(writer.written)" }
      },
      writing("a version while another is written") { play, writer in
        let first = writer.begin(1)!
        play.task { await writer.write(1, first) }
        play.task { await writer.write(2, writer.begin(2)!) }
        return { writer.written.last == 2 ? nil : "W4: \(writer.written)" }
      },
      writing("three versions") { play, writer in
        for version in 1...3 {
          let ticket = writer.begin(version)!
          play.task { await writer.write(version, ticket) }
        }
        return { writer.written.last == 3 ? nil : "W4: \(writer.written)" }
      },
      writing("dropped while it is written") { play, writer in
        let ticket = writer.begin(1)!
        play.task { await writer.write(1, ticket) }
        play.task {
          await writer.pending.drop(Writer.key)
          writer.isClosed = true
          if writer.inside > 0 { Explorer.shared.fail("W2: still being written after it was dropped") }
        }
        return { nil }
      },
      writing("all dropped while two versions are written") { play, writer in
        for version in 1...2 {
          let ticket = writer.begin(version)!
          play.task { await writer.write(version, ticket) }
        }
        play.task {
          await writer.pending.dropAll()
          writer.isClosed = true
          if writer.inside > 0 { Explorer.shared.fail("W2: still being written after it was dropped") }
        }
        return { nil }
      },
      writing("room, with two entries", limit: 1) { play, writer in
        let (first, second) = (writer.begin(1)!, writer.begin(2, DataCacheKey("b"))!)
        let log = Log<Bool>()
        play.task { await writer.write(1, first) }
        play.thread { writer.pending.end(second) }
        play.task {
          await writer.pending.waitForRoom()
          log.add(true)
        }
        return { log.entries.count == 1 ? nil : "Q3: \(log.entries.count) have returned" }
      },
      writing("a task waits for all, and is cancelled") { play, writer in
        let ticket = writer.begin(1)!
        let log = Log<Bool>()
        play.task { await writer.write(1, ticket) }
        let waiting = play.task {
          await writer.pending.waitForEnd()
          log.add(writer.written == [1])
        }
        play.thread { waiting.cancel() }
        return { log.entries == [true] ? nil : "W5: \(log.entries)" }
      },
      writing("two subscribers of a job bring the same entry") { play, writer in
        let begun = Log<Int>()
        for _ in 0..<2 {
          play.task {
            guard let ticket = writer.begin(1, job: 7) else { return }
            begun.add(1)
            await writer.write(1, ticket)
          }
        }
        return { writer.written.count == begun.entries.count ? nil : "W4: \(writer.written)" }
      },
      // Until it is on disk, it is read from here.
      writing("read while it is written") { play, writer in
        let ticket = writer.begin(1)!
        play.task { await writer.write(1, ticket) }
        play.thread {
          let here = writer.pending[Writer.key]
          here?.read()
          if here == nil, writer.written.isEmpty { Explorer.shared.fail("W6: neither here nor on disk") }
        }
        return { writer.written == [1] ? nil : "W4: \(writer.written)" }
      },
    ]
  }

  /// A removal revokes earlier permits: nothing is stored under them once it has returned.
  private static var permits: [ImageScenario] {
    [
      permit("a write and a removal", writers: ["a"], removals: ["a"]),
      permit("two writes and a removal", writers: ["a", "a"], removals: ["a"]),
      permit("writes to two places, one removed", writers: ["a", "b"], removals: ["a"]),
      permit("two removals", writers: ["a"], removals: ["a", "b"]),
      ImageScenario("StorePermits: a new permit after a removal") { play in
        let permits = StorePermits<String?>()
        let old = Slot(permits.permit())
        let log = Log<Int>()
        let (isRemoved, object) = (Signal(), Explorer.shared.newObject())
        play.task {
          await permits.revoke(["a"])
          isRemoved.set()
        }
        play.thread {
          old.value?.write(to: "a") {
            Explorer.shared.point(object)
            if isRemoved.isSet { Explorer.shared.fail("W2: stored after the removal") }
            log.add(1)
          }
          old.value = nil
        }
        play.thread {
          isRemoved.wait()
          permits.permit().write(to: "a") { log.add(2) }
        }
        return { log.entries.last == 2 ? nil : "W7: \(log.entries)" }
      },
    ]
  }

  private static func permit(_ name: String, writers: [String], removals: [String]) -> ImageScenario {
    ImageScenario("StorePermits: \(name)") { play in
      let permits = StorePermits<String?>()
      let removed = Log<String>()
      let object = Sent(Explorer.shared.newObject())
      let written = Log<String>()
      for place in writers {
        let permit = permits.permit()
        play.task {
          await permit.write(to: place) { () async in
            Explorer.shared.checkNoLockIsHeld("storing")
            Explorer.shared.point(object.value)
            if removed.entries.contains(place) { Explorer.shared.fail("W2: stored after the removal") }
            written.add(place)
          }
        }
      }
      for place in removals {
        play.task {
          await permits.revoke([place])
          removed.add(place)
        }
      }
      return {
        for place in writers where !removals.contains(place) && !written.entries.contains(place) {
          return "W7: nothing is stored in \(place)"
        }
        return removed.entries.count == removals.count ? nil : "Q3: \(removed.entries) have returned"
      }
    }
  }

  private static var sessions: [ImageScenario] {
    [
      // All parts of a load are decoded by one decoder, as it keeps what came before.
      ImageScenario("DecodingSession: two previews look for a decoder") { play in
        let session = DecodingSession()
        let seen = Log<Int>()
        for number in 1...2 {
          play.thread {
            _ = session.decoder { AnyImageDecoder(number) }
            session.noteShown()
            seen.add(session.decoder { nil }?.number ?? 0)
          }
        }
        return {
          let last = session.decoder { nil }?.number
          if !session.hasShown { return "W8: nothing was shown" }
          return seen.entries.contains(0) || seen.entries.last != last ? "W8: \(seen.entries)" : nil
        }
      }
    ]
  }
}
