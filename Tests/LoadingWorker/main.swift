import Foundation
import StreamImages

// A process of its own for tests that kill it, starve it, or look at its memory. Says what it did in lines.

func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

let words = Array(CommandLine.arguments.dropFirst())

func number(_ index: Int) -> Int { words.indices.contains(index) ? Int(words[index]) ?? 0 : 0 }

func cache(limit: Int = DataCache.defaultSizeLimit) -> DataCache {
  DataCache(directory: URL(fileURLWithPath: words[1]), sizeLimit: limit)
}

switch words.first {
case "write" where words.count == 4: try await write(cache(), from: number(2), count: number(3))
case "check" where words.count == 4: await check(cache(), names: number(2)..<number(2) + number(3))
case "churn" where words.count == 5:
  try await churn(cache(limit: number(4)), length: words[2], seed: UInt64(number(3)))
case "cramped" where words.count == 4:
  var limit = rlimit(rlim_cur: rlim_t(number(2)), rlim_max: rlim_t(number(2)))
  #if canImport(Glibc)
    _ = setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  #else
    _ = setrlimit(RLIMIT_FSIZE, &limit)
  #endif
  for name in 0..<number(3) {
    do throws(DataCacheError) {
      try await cache().store(Entry.content(name, 1), for: Entry.key(name))
      say("stored \(name)")
    } catch {
      say("refused \(name) \(error)")
    }
  }
case "faulty" where words.count == 3:
  // Before there are other threads: those that come later inherit it.
  guard failSynchronizing() else { say("impossible"); break }
  let cache = DataCache(
    directory: URL(fileURLWithPath: words[1]), synchronizesWrites: words[2] == "synchronizes")
  do throws(DataCacheError) {
    try await cache.store(Entry.content(1, 1), for: Entry.key(1))
    say("stored 1")
  } catch {
    say("refused 1 \(error)")
  }
case "directories" where words.count == 2:
  guard failSynchronizing() else { say("impossible"); break }
  directories(in: words[1])
case "load" where words.count == 4:
  await load(URL(string: words[1])!, coded: words[2] == "coded", limit: number(3))
case "cycle" where words.count == 3: await cycle(URL(string: words[1])!, count: number(2))
case "read" where words.count == 4: await read(words[1], below: words[2], count: number(3))
case "wait" where words.count == 4:
  await wait(words[1], in: URL(fileURLWithPath: words[2]), count: number(3))
default:
  say(
    "usage: write DIRECTORY FIRST COUNT | check DIRECTORY FIRST COUNT | churn DIRECTORY STEPS|SECONDSs SEED LIMIT"
  )
  say(
    "  | cramped DIRECTORY LIMIT COUNT | faulty DIRECTORY synchronizes|not | directories DIRECTORY | load URL coded|plain LIMIT | cycle URL COUNT"
      + " | read FILE ROOT COUNT | wait image|resized|data DIRECTORY COUNT"
  )
  exit(2)
}
