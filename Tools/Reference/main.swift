import Foundation

// Checks the reference: that its examples print what they say, that its diagrams show what the operators do, and that
// every comment that should have an example or a diagram has one.
//
//   --record  draws the diagrams anew

if CommandLine.arguments.contains("--record") { try Diagrams.write() }

var faults = try Diagrams.changedFiles().map { "not what the operator does: \($0)" }
var broken = 0
for example in Example.all {
  guard let fault = try await example.fault() else { continue }
  faults.append(fault)
  broken += 1
}
let coverage = try Coverage()
faults += coverage.faults

for fault in faults { print(fault) }
print(
  "examples \(max(coverage.examples.count - broken, 0)) of \(coverage.examples.of), "
    + "diagrams \(coverage.diagrams.count) of \(coverage.diagrams.of)")
exit(faults.isEmpty ? 0 : 1)
