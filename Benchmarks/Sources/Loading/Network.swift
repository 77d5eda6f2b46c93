import Foundation
import RawCurl
import StreamImages

/// 20 KB a file, over six connections, against libcurl with nothing around it, whose thread is its consumer, too: so for
/// tasks that prefer the loader's executor, and for those that are woken elsewhere.
func smallFiles(_ url: URL, authorities: String? = nil) async throws -> Row {
  let count = 3_000
  var (raw, ours, elsewhere) = (Race(), Race(), Race())
  for _ in 0..<41 {
    try raw.run {
      try rawSeconds(url, authorities, keeping: true, connections: 6, count: count, byteCount: 20_000)
    }
    try await ours.run {
      try await withTaskExecutorPreference(loader.executor) { try await loadSmallFiles(url, count) }
    }
    try await elsewhere.run { try await loadSmallFiles(url, count) }
  }
  let ratios = [ours, elsewhere].map { rounded($0.speed(against: raw)) }
  let efforts = [ours, elsewhere, raw].map { "\(Int($0.processorSeconds / Double(count) * 1e6)) µs" }
  return Row(
    title: "20 KB files, six connections\(authorities == nil ? "" : ", TLS"), against raw libcurl",
    figure: "\(ratios[0]) of its speed on the loader's executor, \(ratios[1]) elsewhere,"
      + " \(Int(Double(count) / ours.seconds)) a second;"
      + " \(efforts[0]) of a processor each, \(efforts[1]) elsewhere, to its \(efforts[2])",
    goal: "0.8 at least",
    short: "20 KB\(authorities == nil ? "" : " over TLS") \(ratios[0]) of libcurl, \(ratios[1]) elsewhere")
}

private func loadSmallFiles(_ url: URL, _ count: Int) async throws -> Double {
  try await ContinuousClock().measure {
    try await withThrowingTaskGroup { group in
      for _ in 0..<12 {
        group.addTask {
          for _ in 0..<count / 12 {
            guard try await loader.data(for: DataRequest(url: url)).body.count == 20_000 else {
              throw DataLoadingError.protocolViolation("length")
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }.inSeconds
}

/// 100 MB, pulled as it comes.
func largeFile(_ url: URL) async throws -> Row {
  var limits = LoadLimits()
  limits.maximumByteCount = 200_000_000
  var (raw, ours) = (Race(), Race())
  for _ in 0..<9 {
    try raw.run { try rawSeconds(url, keeping: false, connections: 1, count: 1, byteCount: 100_000_000) }
    try await ours.run { [limits] in
      let clock = ContinuousClock()
      let start = clock.now
      let loaded = try await loader.load(DataRequest(url: url), limits: limits)
      var count = 0
      while let chunk = try await loaded.body.next() { count += chunk.count }
      guard count == 100_000_000 else {
        throw DataLoadingError.truncated(received: count, expected: 100_000_000)
      }
      return start.duration(to: clock.now).inSeconds
    }
  }
  let ratio = rounded(ours.speed(against: raw))
  return Row(
    title: "a body of 100 MB, against raw libcurl",
    figure: "\(ratio) of its speed, \(Int(100 / ours.seconds)) MB a second",
    goal: "120 MB a second at least", short: "100 MB \(ratio) of libcurl")
}

private func rawSeconds(
  _ url: URL, _ authorities: String? = nil, keeping: Bool, connections: Int, count: Int, byteCount: Int
) throws -> Double {
  var received: Int64 = 0
  let seconds = raw_curl_load(url.absoluteString, authorities, keeping, connections, count, &received)
  guard seconds > 0, received == Int64(count * byteCount) else {
    throw DataLoadingError.protocolViolation("raw libcurl failed")
  }
  return seconds
}
