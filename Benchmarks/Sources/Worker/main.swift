import Foundation
import StreamImages

// The long forms of what tests do in a process of their own, with the functions of the tests.

func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

let words = Array(CommandLine.arguments.dropFirst())

switch (words.first, words.count) {
case ("load", 4):
  await load(URL(string: words[1])!, coded: words[2] == "coded", limit: Int(words[3]) ?? 0)
case ("cycle", 3):
  await cycle(URL(string: words[1])!, count: Int(words[2]) ?? 0)
case ("churn", 5):
  let cache = DataCache(directory: URL(fileURLWithPath: words[1]), sizeLimit: Int(words[4]) ?? 0)
  try await churn(cache, length: words[2], seed: UInt64(words[3]) ?? 1)
default:
  say(
    "usage: load URL coded|plain LIMIT | cycle URL COUNT | churn DIRECTORY STEPS|SECONDSs SEED LIMIT")
  exit(2)
}
