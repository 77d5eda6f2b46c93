extension ImageScenario {
  package static var all: [ImageScenario] {
    workQueues + budgets + jobs + results + subscriptions + caches + storing
  }
}
