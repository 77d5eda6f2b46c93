#define _GNU_SOURCE

#include "CSabotage.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
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

// Where a worker has what its program gave it.
enum { Channel = 3, Input = 4, Output = 5 };

typedef struct Message {
  int64_t numbers[64];
  char text[256];
} Message;

static void reply(int64_t kind, int64_t number, int64_t width, int64_t height) {
  Message message = {0};
  message.numbers[0] = 0x6C7065722067696D;
  message.numbers[1] = 1;
  message.numbers[2] = kind;
  message.numbers[3] = number;
  message.numbers[4] = width;
  message.numbers[5] = height;
  message.numbers[8] = 1;
  sendto(Channel, &message, sizeof message, 0, NULL, 0);
}

static void wait_for_ever(void) {
  while (true) sched_yield();
}

static int result(long value) { return value < 0 ? errno : 0; }

static void allocate(void) {
  size_t size = 1 << 20;
  while (true) {
    char *memory = malloc(size);
    if (!memory) return;
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
  for (int index = 0; index < 100; index++) descriptors[index] = Input;
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
  char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, Output, 0);
  if (memory == MAP_FAILED) return errno;
  memset(memory, 1, size);
  munmap(memory, size);
  return 0;
}

static int lift_limits(void) {
  struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
  return result(syscall(SYS_prlimit64, 0, RLIMIT_AS, &none, NULL));
}

int32_t sabotage(const char *fault, int64_t number) {
#define IS(name) (strcmp(fault, name) == 0)
  if (IS("wild-write")) {
    *(volatile int *)16 = 1;
  } else if (IS("endless-loop")) {
    wait_for_ever();
  } else if (IS("endless-allocation")) {
    allocate();
    return ENOMEM;
  } else if (IS("open-file")) {
    return result(open("/etc/passwd", O_RDONLY));
  } else if (IS("connect")) {
    return connect_somewhere();
  } else if (IS("fork")) {
    return result(fork());
  } else if (IS("rubbish")) {
    Message message;
    memset(&message, 0xA5, sizeof message);
    sendto(Channel, &message, sizeof message, 0, NULL, 0);
  } else if (IS("gigapixel")) {
    reply(1, number, 32768, 32768);
  } else if (IS("die")) {
    _exit(3);
  } else if (IS("truncate")) {
    return result(ftruncate(Output, 0));
  } else if (IS("keep-writing")) {
    return mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, Output, 0) == MAP_FAILED ? errno : 0;
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
  } else if (IS("false-profile")) {
    reply(1, number, 1, 1);
  } else if (IS("other-number")) {
    reply(2, number + 1, 0, 0);
  } else {
    return -1;
  }
  return 0;
}
