extension ImageScenario {
  package static var all: [ImageScenario] {
    workQueues + budgets + reading + jobs + steps + results + subscriptions + caches + storing + bodies
      + loadingTasks
      + prefetching
  }
}
