#define _GNU_SOURCE

#include "CSabotage.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NewClone = 435 };

static int32_t limit_descriptors(int32_t amount) {
  struct rlimit both;
  if (getrlimit(RLIMIT_NOFILE, &both) != 0) return -1;
  both.rlim_cur = (rlim_t)amount;
  return setrlimit(RLIMIT_NOFILE, &both);
}

// As containers do whose list of system calls is older than this one.
static int32_t refuse_clone(int32_t error) {
  struct sock_filter program[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NewClone, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)error),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog filter = {sizeof program / sizeof *program, program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return (int32_t)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
}

int32_t suffer(const char *hardship, int32_t amount) {
  if (strcmp(hardship, "descriptors") == 0) return limit_descriptors(amount);
  if (strcmp(hardship, "clone3") == 0) return refuse_clone(amount);
  if (strcmp(hardship, "closed") == 0) return close(amount);
  if (strcmp(hardship, "opened") == 0) return open("/dev/null", O_RDONLY | O_CLOEXEC) == amount ? 0 : -1;
  return -1;
}

int32_t count_descriptors(void) {
  int32_t count = 0;
  for (int descriptor = 0; descriptor < 1024; descriptor++) count += fcntl(descriptor, F_GETFD) >= 0;
  return count;
}

int64_t read_file(const char *path, void *bytes, size_t capacity) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  int64_t count = read(file, bytes, capacity);
  close(file);
  return count;
}
