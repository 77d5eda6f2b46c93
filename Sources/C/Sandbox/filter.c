#include "filter.h"

#ifdef SANDBOX_HAS_FILTER

#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __x86_64__
#define MACHINE AUDIT_ARCH_X86_64
#else
#define MACHINE AUDIT_ARCH_AARCH64
#endif

#ifndef SYS_clone3
#define SYS_clone3 435
#endif
#ifndef SYS_rseq
#ifdef __x86_64__
#define SYS_rseq 334
#else
#define SYS_rseq 293
#endif
#endif

// The low halves of arguments: all that is compared here is a number of 32 bits.
#define ARGUMENT(index) ((uint32_t)offsetof(struct seccomp_data, args[index]))

#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, value)
#define REFUSAL(number) (SECCOMP_RET_ERRNO | ((number) & SECCOMP_RET_DATA))
#define LET SECCOMP_RET_ALLOW
#define KILL SECCOMP_RET_KILL_PROCESS

// Skips the next `length` instructions unless the call is this one.
#define IF_CALL(name, length) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, length)
#define CALL(name, value) IF_CALL(name, 1), ANSWER(value)

// The call is let through if its argument is this number, or has all of, or none of these bits; else it ends the process.
#define CALL_IF_EQUAL(name, index, number) \
  IF_CALL(name, 4), LOAD(ARGUMENT(index)), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), ANSWER(LET), ANSWER(KILL)
#define CALL_WITHOUT(name, index, bits) \
  IF_CALL(name, 4), LOAD(ARGUMENT(index)), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0), ANSWER(LET), ANSWER(KILL)

// Only threads that share the table of descriptors: one of its own would have room for more of them.
#define THREAD (CLONE_THREAD | CLONE_FILES)

// What opens a file to change it.
#define CHANGES (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)

// New names for things, instead of the program's: processes, users, networks, mounts.
#define NAMESPACES 0x7E020080u

bool sandbox_filter_calls(bool readsFiles) {
  uint32_t files = readsFiles ? LET : REFUSAL(EACCES);
  // What libraries for fonts try, and do without.
  uint32_t changes = readsFiles ? REFUSAL(EACCES) : KILL;
  uint32_t self = (uint32_t)getpid();
  struct sock_filter program[] = {
    LOAD(offsetof(struct seccomp_data, arch)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0),
    ANSWER(KILL),
    LOAD(offsetof(struct seccomp_data, nr)),
#ifdef __x86_64__
    // Numbers of the x32 interface.
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000u, 0, 1),
    ANSWER(KILL),
#endif

    // Memory, of which nothing can become code.
    CALL(futex, LET),
    CALL_WITHOUT(mmap, 2, PROT_EXEC),
    CALL(munmap, LET),
    CALL(madvise, LET),
    CALL_WITHOUT(mprotect, 2, PROT_EXEC),
    CALL(mremap, LET),
    CALL(brk, LET),
    CALL(lseek, LET),

    // Messages. `sendto` cannot pass descriptors on.
    CALL_IF_EQUAL(recvmsg, 0, SandboxChannel),
    CALL_IF_EQUAL(recvfrom, 0, SandboxChannel),
    CALL_IF_EQUAL(sendto, 0, SandboxChannel),
    // Not those that it is born with: the limit of descriptors leaves room for one request besides them.
    IF_CALL(close, 4),
    LOAD(ARGUMENT(0)),
    BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, SandboxChannel, 0, 1),
    ANSWER(LET),
    ANSWER(KILL),
    CALL(ppoll, LET),
#ifdef SYS_poll
    CALL(poll, LET),
#endif

    // Complaints.
    CALL_IF_EQUAL(write, 0, STDERR_FILENO),
    CALL_IF_EQUAL(writev, 0, STDERR_FILENO),

    // Threads of this process. What `clone3` is given cannot be looked at: the C library then uses `clone`.
    CALL(clone3, REFUSAL(ENOSYS)),
    IF_CALL(clone, 6),
    LOAD(ARGUMENT(0)),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NAMESPACES, 3, 0),
    BPF_STMT(BPF_ALU | BPF_AND | BPF_K, THREAD),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THREAD, 0, 1),
    ANSWER(LET),
    ANSWER(KILL),
    CALL(set_robust_list, LET),
    CALL(rseq, LET),
    CALL(sched_yield, LET),
    CALL(sched_getaffinity, LET),
    CALL(gettid, LET),
    CALL(getpid, LET),
    CALL(exit, LET),
    CALL(exit_group, LET),

    // Time, chance, and signals to itself.
    CALL(clock_gettime, LET),
    CALL(clock_getres, LET),
    CALL(clock_nanosleep, LET),
    CALL(nanosleep, LET),
    CALL(gettimeofday, LET),
    CALL(getrandom, LET),
    CALL(rt_sigprocmask, LET),
    CALL(rt_sigaction, LET),
    CALL(rt_sigreturn, LET),
    CALL(sigaltstack, LET),
    CALL(restart_syscall, LET),
    CALL_IF_EQUAL(tgkill, 0, self),

    // What the machine is like, and its own limits, which it can read but not change.
    CALL(sysinfo, LET),
    CALL(uname, LET),
    CALL(getrusage, LET),
    // A pointer, and so both halves: with one, limits are changed, and not only its own.
    IF_CALL(prlimit64, 6),
    LOAD(ARGUMENT(2)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3),
    LOAD(ARGUMENT(2) + 4),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1),
    ANSWER(LET),
    ANSWER(KILL),
    IF_CALL(prctl, 4),
    LOAD(ARGUMENT(0)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_NAME, 0, 1),
    ANSWER(LET),
    ANSWER(REFUSAL(EPERM)),

    // Libraries look for files and go on without.
    IF_CALL(openat, 4),
    LOAD(ARGUMENT(2)),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CHANGES, 1, 0),
    ANSWER(files),
    ANSWER(REFUSAL(EACCES)),
    CALL(read, files),
    CALL(pread64, files),
    CALL(fstat, files),
    CALL(newfstatat, files),
    CALL(statx, files),
    CALL(faccessat, files),
    CALL(readlinkat, files),
    CALL(getcwd, files),
    CALL(getdents64, files),
    CALL(fstatfs, files),
    CALL(statfs, files),
    CALL(fadvise64, files),
    CALL(ioctl, REFUSAL(ENOTTY)),
    CALL(getpeername, REFUSAL(ENOTSOCK)),
    IF_CALL(fcntl, 4),
    LOAD(ARGUMENT(1)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_ADD_SEALS, 0, 1),
    ANSWER(LET),
    ANSWER(REFUSAL(EACCES)),
    CALL(getuid, readsFiles ? LET : KILL),
    CALL(geteuid, readsFiles ? LET : KILL),
    CALL(mkdirat, changes),
    CALL(unlinkat, changes),
#ifdef SYS_open
    CALL(mkdir, changes),
    CALL(unlink, changes),
    IF_CALL(open, 4),
    LOAD(ARGUMENT(1)),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CHANGES, 1, 0),
    ANSWER(files),
    ANSWER(REFUSAL(EACCES)),
    CALL(stat, files),
    CALL(lstat, files),
    CALL(access, files),
    CALL(readlink, files),
#endif

    ANSWER(KILL),
  };
  uint32_t action = KILL;
  // Older kernels would end a thread only, and leave the others waiting.
  if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) != 0) return false;
  struct sock_fprog filter = {sizeof program / sizeof *program, program};
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) == 0;
}

// Of Linux 5.13, and so not in all headers; the numbers are the same for all processors.
enum { CreateRuleset = 444, RestrictSelf = 446, AskVersion = 1 };

typedef struct Ruleset {
  uint64_t files;
  uint64_t network;
  uint64_t scopes;
} Ruleset;

enum { ReadFile = 1 << 2, ReadDirectory = 1 << 3 };

bool sandbox_take_files(bool readsFiles) {
  long version = syscall(CreateRuleset, NULL, 0, AskVersion);
  if (version < 1) return false;
  // All that this version of Landlock can refuse is refused, and no rule allows any of it.
  int kinds = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
  uint64_t files = ((1ull << kinds) - 1) & ~(uint64_t)(readsFiles ? ReadFile | ReadDirectory : 0);
  Ruleset ruleset = {files, version >= 4 ? 3 : 0, version >= 6 ? 3 : 0};
  size_t count = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  long rules = syscall(CreateRuleset, &ruleset, count, 0);
  if (rules < 0) return false;
  bool isDone = syscall(RestrictSelf, rules, 0) == 0;
  close((int)rules);
  return isDone;
}

#endif
