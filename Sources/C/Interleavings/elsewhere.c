#define _GNU_SOURCE
#include "engine.h"
#if !IS_EXPLORABLE

#if defined(__linux__) && defined(__x86_64__)
#include <dlfcn.h>

// For `runtime.S`.
void hooks_before_switch(void) {}
void *real_task_switch;
__attribute__((constructor)) static void find(void) { real_task_switch = dlsym(RTLD_NEXT, "swift_task_switch"); }
#endif

// Where nothing can be explored, every search says so.
const char *interleavings_open(void) {
#if defined(IS_SANITIZED)
  return "the thread sanitizer is linked: build without --sanitize=thread, and with -Xswiftc -Xfrontend -Xswiftc -sanitize=thread";
#else
  return "threads are explored on Linux with glibc on x86-64 only";
#endif
}
void interleavings_close(void) {}
void interleavings_search(interleavings_bounds bounds) { (void)bounds; }
void interleavings_replay(interleavings_bounds bounds, const uint8_t *choices, size_t count) {
  (void)bounds; (void)choices; (void)count;
}
void interleavings_draw(uint64_t seed, int events, uint32_t expected) { (void)seed; (void)events; (void)expected; }
size_t interleavings_choices(const uint8_t **choices) { *choices = NULL; return 0; }
bool interleavings_advance(void) { return false; }
void interleavings_prepare(bool records) { (void)records; }
void interleavings_capture(bool on) { (void)on; }
int interleavings_add(void (*body)(void *), void *context) { (void)body; (void)context; return -1; }
int interleavings_thread_count(void) { return 0; }
void interleavings_run(void) {}
interleavings_failure interleavings_result(void) { return INTERLEAVINGS_NONE; }
const interleavings_event *interleavings_culprits(void) { return NULL; }
const char *interleavings_message(void) { return NULL; }
size_t interleavings_events(const interleavings_event **events) { *events = NULL; return 0; }
bool interleavings_was_redundant(void) { return false; }
bool interleavings_was_limited(void) { return false; }
size_t interleavings_sites(const uintptr_t **addresses) { *addresses = NULL; return 0; }
const char *interleavings_function(uintptr_t address) { (void)address; return NULL; }
int interleavings_running(void) { return -1; }
void interleavings_ignore(int change) { (void)change; }
void interleavings_point(const void *object) { (void)object; }
void interleavings_fail(const char *message) { (void)message; }
uint16_t interleavings_step(void) { return 0; }
bool interleavings_knows(int thread, uint16_t step) { (void)thread; (void)step; return true; }
uint32_t interleavings_stale(void) { return 0; }
uint32_t interleavings_steps(void) { return 0; }
void interleavings_exempt_statics(void) {}
void interleavings_check_deinits(void) {}
void interleavings_exempt_tasks(void) {}
void interleavings_ignore_module(const char *name) { (void)name; }
void interleavings_serve(int number) { (void)number; }
bool interleavings_is_over(void) { return true; }
void interleavings_reach(uintptr_t object, bool is_write) { (void)object; (void)is_write; }
void interleavings_touch(uintptr_t object) { (void)object; }
void interleavings_access(uintptr_t address, bool is_write) { (void)address; (void)is_write; }
void interleavings_wait(uintptr_t object, bool (*condition)(void *), void *context) {
  (void)object; (void)condition; (void)context;
}
void interleavings_publish(uint16_t clock[INTERLEAVINGS_THREADS]) { (void)clock; }
void interleavings_join(const uint16_t clock[INTERLEAVINGS_THREADS]) { (void)clock; }
bool interleavings_includes(const uint16_t clock[INTERLEAVINGS_THREADS]) { (void)clock; return true; }
void interleavings_lock(uintptr_t lock, bool is_step) { (void)lock; (void)is_step; }
void interleavings_unlock(uintptr_t lock) { (void)lock; }
int interleavings_held(void) { return 0; }
size_t interleavings_atomic_calls(interleavings_call *calls, size_t capacity) { (void)calls; (void)capacity; return 0; }
bool interleavings_number_order(uintptr_t caller, bool is_failure, int number) {
  (void)caller; (void)is_failure; (void)number;
  return false;
}
void interleavings_weaken(int number, int bits) { (void)number; (void)bits; }
uint8_t *interleavings_effects(void) {
  static uint8_t effects[INTERLEAVINGS_ORDERS];
  return effects;
}

#endif
