import Foundation

// Links WAY KILOBITS MILLISECONDS LOSS [COUNT BYTES]
// Links soak MINUTES
//
// Loads images from nginx over one link, by a pipeline and by curl, and prints a row; or for some minutes, over links whose
// faults are drawn at random. See Benchmarks/Tools/links.

let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "soak" {
  let minutes = arguments.last.flatMap { Double($0) } ?? 10
  exit(try await Soak(Server()).run(minutes: minutes) ? 0 : 1)
}
let numbers = arguments.dropFirst().compactMap { Double($0) }
guard let way = arguments.first.flatMap(Way.init), numbers.count == arguments.count - 1, numbers.count >= 3
else {
  print("links: WAY KILOBITS MILLISECONDS LOSS [COUNT BYTES], where a way is plain, secure or http2")
  exit(2)
}

var page = Page(
  way: way, kilobitsPerSecond: Int(numbers[0]), milliseconds: Int(numbers[1]), percentLost: Int(numbers[2]))
if numbers.count == 5 { (page.imageCount, page.imageSize) = (Int(numbers[3]), Int(numbers[4])) }
let server = try Server()
try page.prepare(server)
let (pipeline, curl) = try await page.run(server)
let row: [any CustomStringConvertible] = [
  page.kilobitsPerSecond, page.milliseconds, page.percentLost, way.rawValue, page.imageCount, page.imageSize,
  pipeline.failures.values.reduce(0, +), curl.failures.values.reduce(0, +),
  rounded(pipeline.seconds), rounded(curl.seconds), rounded(pipeline.first), rounded(page.timeOfOne),
  page.percentWasted(pipeline), page.percentWasted(curl), pipeline.text,
]
print(row.map(\.description).joined(separator: "\t"))

func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
