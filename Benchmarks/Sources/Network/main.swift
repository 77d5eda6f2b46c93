import Foundation
import StreamImages

// Network: what a page of images costs over long and slow ways, against curl and against what round trips and bandwidth let
// through. The server is in the environment; see Benchmarks/Tools/network.

let environment = ProcessInfo.processInfo.environment
guard let secure = environment["NGINX_HTTPS"], let port = URL(string: secure)?.port,
  let authorities = environment["NGINX_CA"], let relay = environment["RELAY"],
  let files = environment["NGINX_FILES"]
else {
  print("network: no server; use Scripts/benchmark network")
  exit(2)
}

let imageCount = 100, imageSize = 20_000
let rounds = Int(environment["ROUNDS"] ?? "") ?? 5

print(
  "| Round trip | Mbit/s | Bound | Pipeline | curl | to the bound | to curl | beside a paused body |"
)
print("|--:|--:|--:|--:|--:|--:|--:|--:|")
var worst = (bound: 0.0, curl: 0.0, neighbours: 0.0)
for milliseconds in [10, 50, 150] {
  for megabits in [5, 50, 500] {
    let way = try Way(to: port, milliseconds: milliseconds, megabits: megabits, relay: relay)
    var times: (ours: [Double], curl: [Double], beside: [Double]) = ([], [], [])
    for _ in 0..<rounds {
      times.ours.append(try await way.loadPage(authorities))
      times.curl.append(try way.curlPage(authorities))
      times.beside.append(try await way.loadPage(authorities, besideStalled: true))
    }
    way.close()
    let (ours, curl, beside) = (median(times.ours), median(times.curl), median(times.beside))
    // TCP, TLS 1.3 and the request: a round trip each. Then the bytes.
    let bound = 0.003 * Double(milliseconds) + Double(imageCount * imageSize * 8) / Double(megabits) / 1e6
    worst.bound = max(worst.bound, ours / bound)
    worst.curl = max(worst.curl, ours / curl)
    worst.neighbours = max(worst.neighbours, beside / ours)
    let figures =
      [bound, ours, curl].map { "\(rounded($0)) s" }
      + [ours / bound, ours / curl, beside / ours].map { "\(rounded($0))" }
    print("| \(milliseconds) ms | \(megabits) | \(figures.joined(separator: " | ")) |")
  }
}

// A page of progressive images, of which a reader sees something before they are complete.
let progressive = try ImageEncoder.encode(noise(240, 160), as: .jpeg(quality: 0.8, progressive: true))
try Data(progressive).write(to: URL(filePath: files).appending(path: "progressive.jpg"))
print("")
print(
  "| \(imageCount) progressive images of \(progressive.count / 1000) KB, 50 ms | each shows something | all complete | curl |"
)
print("|--:|--:|--:|--:|")
for megabits in [5, 50, 500] {
  let way = try Way(to: port, milliseconds: 50, megabits: megabits, relay: relay)
  var times: (shown: [Double], complete: [Double], curl: [Double]) = ([], [], [])
  for _ in 0..<rounds {
    let (shown, complete) = try await way.showPage(of: "progressive.jpg", authorities)
    times.shown.append(shown)
    times.complete.append(complete)
    times.curl.append(try way.curlPage(authorities, of: "progressive.jpg"))
  }
  way.close()
  let figures = [times.shown, times.complete, times.curl].map { "\(rounded(median($0))) s" }
  print("| \(megabits) Mbit/s | \(figures.joined(separator: " | ")) |")
}

print("")
print(
  "network: at worst \(rounded(worst.bound)) times the bound, \(rounded(worst.curl)) times curl --http2 --parallel,"
    + " \(rounded(worst.neighbours)) times as long beside a body that no task pulls")

/// Gray noise over a gradient, which compresses like a photograph.
func noise(_ width: Int, _ height: Int) throws -> Image {
  var image = try Image(width: width, height: height, pixelFormat: .rgb8)
  var state: UInt32 = 1
  try image.withUnsafeMutableBytes { bytes in
    for index in bytes.indices {
      state = state &* 1_664_525 &+ 1_013_904_223
      bytes[index] = UInt8(truncatingIfNeeded: index / (3 * width) + Int(state >> 27))
    }
  }
  return image
}

func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
