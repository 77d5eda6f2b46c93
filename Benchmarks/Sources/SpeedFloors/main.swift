import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
let all = floors + beyondFloors + beyondLastingFloors + beyondShapingFloors

if arguments.first == "--run", arguments.count == 3, let count = Int(arguments[2]) {
  // One workload by itself, for counting instructions.
  guard let floor = ([reference] + all).first(where: { $0.name == arguments[1] }) else {
    print("no workload is called \(arguments[1])")
    exit(2)
  }
  keep(floor.run(count))
  exit(0)
}

let unit = reference.cost()
var failures = 0
for floor in all {
  // Noise only adds: a workload that looks slow gets two more chances.
  var ratio = floor.cost() / unit
  for _ in 0..<2 where ratio > floor.ceiling {
    ratio = min(ratio, floor.cost() / min(unit, reference.cost()))
  }
  let isSlow = ratio > floor.ceiling
  if isSlow { failures += 1 }
  let figure = String(format: "%6.1f ×  (ceiling %5.1f)", ratio, floor.ceiling)
  print("\(isSlow ? "SLOW" : "  ok") \(figure)  \(floor.name)")
}
print(
  "speed floors: \(all.count - failures) held, \(failures) broken, unit \(String(format: "%.2f", unit)) ns"
)
exit(failures == 0 ? 0 : 1)
