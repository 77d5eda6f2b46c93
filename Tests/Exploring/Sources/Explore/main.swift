internal import CShards

cshards_hash_alike(CommandLine.unsafeArgv)
let order = Order(CommandLine.arguments.dropFirst())
switch order.task {
case .help:
  print(Order.help)
case .list:
  for trial in Trial.all { print(trial.name) }
case .replay(let name, let schedule):
  cshards_exit(Replay(name, schedule, order).run() ? 0 : 1)
case .weakenings:
  cshards_exit(Weakenings(order).run() ? 0 : 1)
case .survey:
  cshards_exit(Survey(order).run() ? 0 : 1)
}
