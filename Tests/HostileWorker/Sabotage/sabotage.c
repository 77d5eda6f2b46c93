#define _GNU_SOURCE

#include "CSabotage.h"
#include "message.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static int result(long value) { return value < 0 ? errno : 0; }

static void wait_for_ever(void) {
  while (true) sched_yield();
}

// Returns how many megabytes there were.
static int allocate(void) {
  size_t size = 1 << 20;
  for (int count = 0;; count++) {
    char *memory = malloc(size);
    if (!memory) return count;
    memset(memory, 1, size);
  }
}

static void send_descriptors(void) {
  char byte = 0;
  struct iovec part = {&byte, 1};
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(100 * sizeof(int))];
  } control;
  memset(&control, 0, sizeof control);
  struct msghdr message = {
    .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(100 * sizeof(int));
  int *descriptors = (int *)(void *)CMSG_DATA(rights);
  for (int index = 0; index < 100; index++) descriptors[index] = Channel;
  sendmsg(Channel, &message, 0);
}

static void *sleep_for_ever(void *context) {
  wait_for_ever();
  return context;
}

static int connect_somewhere(void) {
  int other = socket(AF_UNIX, SOCK_STREAM, 0);
  struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "/run/sabotage"};
  return result(other < 0 ? other : connect(other, (struct sockaddr *)&address, sizeof address));
}

static int hoard(void) {
  size_t size = 8 << 20;
  char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, find_output(), 0);
  if (memory == MAP_FAILED) return errno;
  memset(memory, 1, size);
  munmap(memory, size);
  return 0;
}

static int lift_limits(void) {
  struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
  return result(syscall(SYS_prlimit64, 0, RLIMIT_AS, &none, NULL));
}

static int spin(void *context) {
  while (true) syscall(SYS_sched_yield);
  return context != NULL;
}

// Uses a core, also of a machine where others wait for it: to yield would leave it to them.
static int burn(void *context) {
  volatile bool goes_on = true;
  while (goes_on) continue;
  return context != NULL;
}

// A thread without the C library: it needs no memory but these bytes, and so no limit of memory counts it.
static int32_t make_thread(int (*body)(void *), int flags) {
  size_t size = 4096;
  char *stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stack == MAP_FAILED) return errno;
  flags |= CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
  return result(clone(body, stack + size, flags, NULL));
}

static void make_threads(void) {
  for (int count = 0; count < 4000; count++) make_thread(spin, CLONE_FILES);
  wait_for_ever();
}

// Replies that are wrong in one way each.
static bool send_falsehood(const char *fault, int64_t number, int64_t proof) {
  Message message = start_reply(ImageReply, number, proof);
  message.numbers[Width] = message.numbers[Height] = 1;
  message.numbers[IsComplete] = 1;
  if (IS("gigapixel")) {
    message.numbers[Width] = message.numbers[Height] = 32768;
  } else if (IS("outside")) {
    message.numbers[Offset] = 1ll << 40;
  } else if (IS("kept-profile")) {
    message.numbers[Colors] = 2;
    message.numbers[ProfileCount] = 200;
  } else if (IS("huge-profile")) {
    message.numbers[Colors] = 2;
    message.numbers[ProfileCount] = 16 << 20;
  } else if (IS("false-profile")) {
    message.numbers[Colors] = 2;
    message.numbers[ProfileCount] = 200;
  } else if (IS("half-image")) {
    message.numbers[IsComplete] = 0;
  } else if (IS("no-image")) {
    message.numbers[Kind] = NoReply;
  } else if (IS("other-question")) {
    message.numbers[Kind] = DoneReply;
  } else if (IS("stopped")) {
    message.numbers[Kind] = FailureReply;
    message.numbers[ErrorKind] = Cancelled;
  } else if (IS("other-number")) {
    message.numbers[Number]++;
  } else if (IS("without-memory")) {
    message.numbers[Proof]++;
  } else {
    return false;
  }
  send_message(&message);
  // Decoding would map the memory for pixels, which is another reason to refuse it.
  wait_for_ever();
  return true;
}

int32_t sabotage(const char *fault, int64_t number, int64_t proof) {
  if (send_falsehood(fault, number, proof)) return 0;
  if (IS("wild-write")) {
    *(volatile int *)16 = 1;
  } else if (IS("endless-loop")) {
    wait_for_ever();
  } else if (IS("endless-allocation")) {
    return SabotageMegabytes + allocate();
  } else if (IS("open-file")) {
    return result(open("/etc/passwd", O_RDONLY));
  } else if (IS("connect")) {
    return connect_somewhere();
  } else if (IS("fork")) {
    return result(fork());
  } else if (IS("rubbish")) {
    Message message;
    memset(&message, 0xA5, sizeof message);
    send_message(&message);
  } else if (IS("die")) {
    _exit(3);
  } else if (IS("truncate")) {
    return result(ftruncate(find_output(), 0));
  } else if (IS("seal-input")) {
    return result(fcntl(find_input(), F_ADD_SEALS, F_SEAL_WRITE));
  } else if (IS("keep-writing")) {
    return mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, find_output(), 0) == MAP_FAILED ? errno : 0;
  } else if (IS("descriptors")) {
    send_descriptors();
  } else if (IS("half-reply")) {
    for (int index = 0; index < 1000; index++) sendto(Channel, &index, 1, 0, NULL, 0);
    wait_for_ever();
  } else if (IS("silence")) {
    close(Channel);
    wait_for_ever();
  } else if (IS("execute")) {
    char *const words[] = {"/bin/true", NULL};
    return result(execv(words[0], words));
  } else if (IS("signal-program")) {
    return result(syscall(SYS_kill, getppid(), SIGCONT));
  } else if (IS("threads")) {
    pthread_t thread;
    while (true) {
      int code = pthread_create(&thread, NULL, sleep_for_ever, NULL);
      if (code != 0) return code;
    }
  } else if (IS("raw-threads")) {
    make_threads();
  } else if (IS("burn")) {
    // Which goes on while there is nothing to do.
    return make_thread(burn, CLONE_FILES);
  } else if (IS("own-table")) {
    return make_thread(spin, 0);
  } else if (IS("hoard")) {
    return hoard();
  } else if (IS("lift-limits")) {
    return lift_limits();
  } else if (IS("code")) {
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? errno : 0;
  } else if (IS("chatter")) {
    // More than a pipe holds.
    for (int index = 0; index < 20000; index++) (void)!write(STDERR_FILENO, "chatter of a decoder that never ends\n", 37);
  } else {
    return take_over(fault, number, proof);
  }
  return 0;
}
