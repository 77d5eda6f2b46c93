extension ImageScenario {
  package static var all: [ImageScenario] {
    workQueues + budgets + reading + jobs + results + subscriptions + caches + storing + bodies + loadingTasks
      + prefetching
  }
}
