import Foundation
import RawCurl
import StreamImages

// Loading: what loading costs, against a real server whose address is in the environment; see Benchmarks/Tools/nginx.
// Arguments choose rows; without any, all are measured. Rounds take turns with the peer's: a ratio is their median.

let environment = ProcessInfo.processInfo.environment
guard let base = environment["NGINX_HTTP"], let secure = environment["NGINX_HTTPS"],
  let authorities = environment["NGINX_CA"]
else {
  print("loading: no server; use Scripts/benchmark loading")
  exit(2)
}

var configuration = CurlLoader.Configuration()
configuration.proxy = .none
configuration.usesHTTP2 = false
configuration.certificateAuthorities = authorities
let loader = CurlLoader(configuration)
var rows: [Row] = []

let chosen = Set(CommandLine.arguments.dropFirst())
func isChosen(_ name: String) -> Bool { chosen.isEmpty || chosen.contains(name) }

if isChosen("hit") { rows.append(try await memoryHit()) }
if isChosen("memory") { rows.append(memoryOperations()) }
if isChosen("small") { rows.append(try await smallFiles(URL(string: base + "/small")!)) }
if isChosen("tls") {
  rows.append(try await smallFiles(URL(string: secure + "/small")!, authorities: authorities))
}
if isChosen("large") { rows.append(try await largeFile(URL(string: base + "/large")!)) }
if isChosen("disk") { rows.append(try await diskHit()) }

for row in rows { print(row.description) }
print("loading: " + rows.map(\.short).joined(separator: ", "))
loader.invalidate()
