#include "filter.h"

#ifdef SANDBOX_HAS_FILTER

#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Of Linux 5.3, and so not in all headers; the numbers are the same for all processors.
enum { OpenProcess = 434, SignalProcess = 424 };

bool sandbox_is_supported(void) { return true; }

// A worker ends with the thread that started it, not with the process: so all are started by one that never ends.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static bool hasStarter;

typedef struct Order {
  const char *program;
  char *const *words;
  char *const *environment;
  int channel;
  int complaints;
  pid_t process;
  int code;
  bool isTaken;
  bool isDone;
} Order;

static Order *order;

// Runs nothing of this program in the new process. Whatever descriptors are in use here, its own are set in this order.
static int spawn(Order *wanted) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int code = posix_spawn_file_actions_init(&actions);
  if (code != 0) return code;
  code = posix_spawnattr_init(&attributes);
  if (code != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return code;
  }
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  // Of a group of its own: an interrupt from the terminal is the program's.
  posix_spawnattr_setflags(
    &attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  code = posix_spawn_file_actions_adddup2(&actions, wanted->channel, SandboxChannel);
  if (code == 0) code = posix_spawn_file_actions_adddup2(&actions, wanted->complaints, STDERR_FILENO);
  if (code == 0) code = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDWR, 0);
  if (code == 0) code = posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO);
#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 34)
  if (code == 0) code = posix_spawn_file_actions_addclosefrom_np(&actions, SandboxChannel + 1);
#endif
#endif
  if (code == 0) {
    code = posix_spawn(
      &wanted->process, wanted->program, &actions, &attributes, wanted->words, wanted->environment);
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return code;
}

static void *serve(void *context) {
  (void)context;
  pthread_mutex_lock(&lock);
  while (true) {
    while (!order || order->isTaken) pthread_cond_wait(&change, &lock);
    Order *wanted = order;
    wanted->isTaken = true;
    pthread_mutex_unlock(&lock);
    wanted->code = spawn(wanted);
    pthread_mutex_lock(&lock);
    wanted->isDone = true;
    order = NULL;
    pthread_cond_broadcast(&change);
  }
  return NULL;
}

int sandbox_serve(void *(*serve)(void *)) {
  pthread_t thread;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int code = pthread_create(&thread, NULL, serve, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (code == 0) pthread_detach(thread);
  return code;
}

static int place(Order *wanted) {
  pthread_mutex_lock(&lock);
  if (!hasStarter) {
    int code = sandbox_serve(serve);
    if (code != 0) {
      pthread_mutex_unlock(&lock);
      return code;
    }
    hasStarter = true;
  }
  while (order) pthread_cond_wait(&change, &lock);
  order = wanted;
  pthread_cond_broadcast(&change);
  while (!wanted->isDone) pthread_cond_wait(&change, &lock);
  pthread_mutex_unlock(&lock);
  return wanted->code;
}

// Above the descriptors that a worker has, so that none is overwritten before it is copied.
static int move_up(int descriptor) {
  int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 16);
  close(descriptor);
  return moved;
}

static int32_t open_ends(int32_t channel[2], int complaints[2]) {
  int32_t code = sandbox_pair(channel);
  if (code != 0) return code;
  if (pipe2(complaints, O_CLOEXEC) != 0) {
    code = -errno;
    close(channel[0]);
    close(channel[1]);
    return code;
  }
  for (int end = 0; end < 2; end++) {
    channel[end] = move_up(channel[end]);
    complaints[end] = move_up(complaints[end]);
  }
  if (channel[0] >= 0 && channel[1] >= 0 && complaints[0] >= 0 && complaints[1] >= 0
      // What is written to a full pipe is lost, rather than waited for.
      && fcntl(complaints[1], F_SETFL, O_NONBLOCK) == 0 && fcntl(complaints[0], F_SETFL, O_NONBLOCK) == 0) {
    return 0;
  }
  code = -errno;
  for (int end = 0; end < 2; end++) {
    if (channel[end] >= 0) close(channel[end]);
    if (complaints[end] >= 0) close(complaints[end]);
  }
  return code;
}

// What a worker may learn of the environment: where libraries lie, and where fonts do, for one that draws text.
static const char *const names[] = {
  "LD_LIBRARY_PATH", "LIBHEIF_PLUGIN_PATH", "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "FONTCONFIG_FILE", "FONTCONFIG_PATH"};
enum { LibraryNames = 2, FontNames = sizeof names / sizeof *names };

static char *copy_variable(const char *name) {
  const char *value = getenv(name);
  if (!value) return NULL;
  size_t count = strlen(name) + strlen(value) + 2;
  char *variable = malloc(count);
  if (variable) snprintf(variable, count, "%s=%s", name, value);
  return variable;
}

int32_t sandbox_start(
  const char *program, const char *flag, const char *version, bool needsFonts, SandboxProcess *started) {
  int32_t channel[2];
  int complaints[2];
  int32_t code = open_ends(channel, complaints);
  if (code != 0) return code;
  char *const words[] = {(char *)program, (char *)flag, (char *)version, NULL};
  // Secrets of the environment are none of a worker's business; and one that crashes runs no program to look at itself.
  // Small pieces of memory that a thread keeps for itself are not cleared.
  char *environment[4 + FontNames + 1] = {
    "SWIFT_BACKTRACE=enable=no", "GLIBC_TUNABLES=glibc.malloc.tcache_count=0",
    "ASAN_OPTIONS=detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_sigill=0",
    "TSAN_OPTIONS=handle_segv=0:handle_sigbus=0:handle_sigill=0"};
  int known = 4, count = known;
  for (int index = 0; index < (needsFonts ? FontNames : LibraryNames); index++) {
    char *variable = copy_variable(names[index]);
    if (variable) environment[count++] = variable;
  }
  Order wanted = {.program = program, .words = words, .environment = environment};
  wanted.channel = channel[1];
  wanted.complaints = complaints[1];
  code = -place(&wanted);
  while (count > known) free(environment[--count]);
  close(channel[1]);
  close(complaints[1]);
  if (code != 0) {
    close(channel[0]);
    close(complaints[0]);
    return code;
  }
  started->process = wanted.process;
  started->handle = (int32_t)syscall(OpenProcess, wanted.process, 0);
  started->channel = channel[0];
  started->complaints = complaints[0];
  return 0;
}

bool sandbox_ends_within(const SandboxProcess *process, int32_t milliseconds) {
  if (process->handle < 0) return false;
  struct pollfd watched = {process->handle, POLLIN, 0};
  return poll(&watched, 1, milliseconds) > 0;
}

int64_t sandbox_processor_time(const SandboxProcess *process) {
  clockid_t clock;
  struct timespec time;
  if (process->process <= 0 || clock_getcpuclockid(process->process, &clock) != 0) return -1;
  return clock_gettime(clock, &time) == 0 ? time.tv_sec * 1000000000ll + time.tv_nsec : -1;
}

int32_t sandbox_thread_count(const SandboxProcess *process) {
  char path[64], text[512];
  snprintf(path, sizeof path, "/proc/%d/stat", process->process);
  int file = process->process > 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return -1;
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  text[count > 0 ? count : 0] = 0;
  // The name of the program stands in brackets, and may contain anything.
  char *field = strrchr(text, ')');
  // The third field is the first behind it, and the twentieth is the count.
  for (int index = 2; field && index < 20; index++) field = strchr(field + 1, ' ');
  return field ? (int32_t)strtol(field, NULL, 10) : -1;
}

int32_t sandbox_most_threads(void) {
  long processors = sysconf(_SC_NPROCESSORS_CONF);
  return 64 + (int32_t)(processors > 0 ? processors : 1);
}

SandboxEnding sandbox_end(SandboxProcess *process) {
  if (process->process <= 0) {
    sandbox_close(process->channel);
    process->channel = -1;
    return (SandboxEnding){false, 0, 0};
  }
  if (process->handle < 0) {
    kill(process->process, SIGKILL);
  } else {
    syscall(SignalProcess, process->handle, SIGKILL, NULL, 0);
  }
  int status = 0;
  pid_t found;
  do { found = waitpid(process->process, &status, 0); } while (found < 0 && errno == EINTR);
  if (process->handle >= 0) close(process->handle);
  close(process->channel);
  close(process->complaints);
  process->handle = process->channel = process->complaints = -1;
  if (found != process->process) return (SandboxEnding){false, 0, 0};
  return WIFSIGNALED(status) ? (SandboxEnding){true, WTERMSIG(status), 0}
                             : (SandboxEnding){true, 0, WEXITSTATUS(status)};
}

bool sandbox_find_beside(const char *name, char *path, size_t capacity) {
  ssize_t count = readlink("/proc/self/exe", path, capacity - 1);
  if (count <= 0) return false;
  path[count] = 0;
  char *end = strrchr(path, '/');
  if (!end) return false;
  size_t used = (size_t)(end - path) + 1;
  int length = snprintf(path + used, capacity - used, "%s", name);
  return length > 0 && (size_t)length < capacity - used && access(path, X_OK) == 0;
}

#endif
