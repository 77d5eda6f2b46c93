#include "filter.h"

#ifdef SANDBOX_HAS_FILTER

#include "CSandbox.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MostDescriptors = 2 };

typedef union Control {
  struct cmsghdr alignment;
  char bytes[CMSG_SPACE(MostDescriptors * sizeof(int32_t))];
} Control;

// Each message arrives as a whole, or not at all, and the end of the other side is seen.
int32_t sandbox_pair(int32_t ends[2]) {
  int found[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, found) != 0) return -errno;
  ends[0] = found[0];
  ends[1] = found[1];
  return 0;
}

void sandbox_close(int32_t descriptor) {
  if (descriptor >= 0) close(descriptor);
}

int32_t sandbox_send(
  int32_t channel, const void *message, size_t count, const int32_t *descriptors, size_t descriptorCount) {
  if (descriptorCount > MostDescriptors) return -EINVAL;
  struct iovec part = {(void *)message, count};
  struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1};
  Control control;
  memset(&control, 0, sizeof control);
  if (descriptorCount > 0) {
    header.msg_control = control.bytes;
    header.msg_controllen = CMSG_SPACE(descriptorCount * sizeof(int32_t));
    struct cmsghdr *rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(descriptorCount * sizeof(int32_t));
    memcpy(CMSG_DATA(rights), descriptors, descriptorCount * sizeof(int32_t));
  }
  ssize_t sent;
  do { sent = sendmsg(channel, &header, MSG_NOSIGNAL | MSG_DONTWAIT); } while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : 0;
}

int32_t sandbox_reply(int32_t channel, const void *message, size_t count) {
  ssize_t sent;
  do { sent = sendto(channel, message, count, MSG_NOSIGNAL, NULL, 0); } while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : 0;
}

int64_t sandbox_receive(int32_t channel, void *message, size_t capacity, int32_t *descriptors, bool *isOdd) {
  struct iovec part = {message, capacity};
  struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1};
  Control control;
  // Without room for descriptors, the kernel closes those that come.
  if (descriptors) {
    descriptors[0] = descriptors[1] = -1;
    header.msg_control = control.bytes;
    header.msg_controllen = sizeof control;
  }
  ssize_t count;
  do { count = recvmsg(channel, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC); } while (count < 0 && errno == EINTR);
  *isOdd = count >= 0 && (header.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0;
  if (count < 0) return -errno;
  size_t found = 0;
  for (struct cmsghdr *rights = CMSG_FIRSTHDR(&header); rights; rights = CMSG_NXTHDR(&header, rights)) {
    if (rights->cmsg_level != SOL_SOCKET || rights->cmsg_type != SCM_RIGHTS) continue;
    size_t here = (rights->cmsg_len - CMSG_LEN(0)) / sizeof(int32_t);
    for (size_t index = 0; index < here; index++) {
      int32_t descriptor;
      memcpy(&descriptor, CMSG_DATA(rights) + index * sizeof descriptor, sizeof descriptor);
      if (found < MostDescriptors) {
        descriptors[found++] = descriptor;
      } else {
        close(descriptor);
        *isOdd = true;
      }
    }
  }
  return count;
}

bool sandbox_wait(int32_t channel, int32_t milliseconds) {
  struct pollfd watched = {channel, POLLIN, 0};
  return poll(&watched, 1, milliseconds) > 0;
}

bool sandbox_is_interrupted(int32_t channel) {
  static _Thread_local struct timespec last;
  struct timespec now;
  // Read from a page of the kernel, and changed every few milliseconds.
  if (clock_gettime(CLOCK_MONOTONIC_COARSE, &now) == 0) {
    if (now.tv_nsec == last.tv_nsec && now.tv_sec == last.tv_sec) return false;
    last = now;
  }
  char byte;
  ssize_t count = recv(channel, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return count >= 0 || (errno != EAGAIN && errno != EINTR);
}

#endif
