import Foundation
import RawCurl
import StreamImages

// Loading: what loading costs, against a real server whose address is in the environment; see Benchmarks/Tools/nginx.
// Each figure is measured in rounds that take turns with its peer's, and is the median of them.

guard let base = ProcessInfo.processInfo.environment["NGINX_HTTP"] else {
  print("loading: no server; use Scripts/benchmark loading")
  exit(2)
}

var configuration = CurlLoader.Configuration()
configuration.proxy = .none
let loader = CurlLoader(configuration)
var rows: [Row] = []

rows.append(try await memoryHit())
rows.append(memoryOperations())
rows.append(try await smallFiles(URL(string: base + "/small")!))
rows.append(try await largeFile(URL(string: base + "/large")!))
rows.append(try await diskHit())

for row in rows { print(row.description) }
print("loading: " + rows.map(\.short).joined(separator: ", "))
loader.invalidate()
