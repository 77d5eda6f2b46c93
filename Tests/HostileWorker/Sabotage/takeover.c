#define _GNU_SOURCE

#include "CSabotage.h"
#include "message.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MostDescriptors = 4, Page = 4096 };

static const int64_t ReplyMagic = 0x6C70657220676D69;

static int64_t version;

void sabotage_set_version(int64_t wanted) { version = wanted; }

Message start_reply(int64_t kind, int64_t number, int64_t proof) {
  Message message = {{0}, {0}};
  message.numbers[0] = ReplyMagic;
  message.numbers[1] = version;
  message.numbers[Kind] = kind;
  message.numbers[Number] = number;
  message.numbers[Proof] = proof;
  return message;
}

void send_message(const Message *message) { sendto(Channel, message, sizeof *message, 0, NULL, 0); }

static int find(bool isLarger) {
  bool isFirst = lseek(4, 0, SEEK_END) > lseek(5, 0, SEEK_END);
  return isFirst == isLarger ? 4 : 5;
}

int find_output(void) { return find(true); }
int find_input(void) { return find(false); }

typedef struct Request {
  Message message;
  int descriptors[MostDescriptors];
  int count;
} Request;

static Request receive(void) {
  Request request = {.count = 0};
  struct pollfd watched = {Channel, POLLIN, 0};
  poll(&watched, 1, -1);
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(MostDescriptors * sizeof(int))];
  } control;
  struct iovec part = {&request.message, sizeof request.message};
  struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  if (recvmsg(Channel, &header, 0) <= 0) _exit(0);
  struct cmsghdr *rights = CMSG_FIRSTHDR(&header);
  if (!rights) return request;
  request.count = (int)((rights->cmsg_len - CMSG_LEN(0)) / sizeof(int));
  memcpy(request.descriptors, CMSG_DATA(rights), request.count * sizeof(int));
  return request;
}

// What the program wrote behind the file, which only one who has that memory can read.
static int64_t find_proof(const Request *request) {
  int64_t proof = 0;
  for (int index = 0; index < request->count; index++) {
    int64_t count = request->message.numbers[InputCount];
    if (index + 1 < request->count && request->message.numbers[OutputCount] > 0) continue;
    off_t end = lseek(request->descriptors[index], 0, SEEK_END);
    if (end < count + 8) continue;
    char *bytes = mmap(NULL, count + 8, PROT_READ, MAP_SHARED, request->descriptors[index], 0);
    if (bytes == MAP_FAILED) continue;
    memcpy(&proof, bytes + count, sizeof proof);
    munmap(bytes, count + 8);
  }
  return proof;
}

static void close_all(const Request *request) {
  for (int index = 0; index < request->count; index++) close(request->descriptors[index]);
}

static void fill(int memory, size_t size) {
  char *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  if (bytes == MAP_FAILED) return;
  for (size_t offset = 0; offset < size; offset += Page) bytes[offset] = 1;
  munmap(bytes, size);
}

// Fails as if files were cut off, with memory for pixels that is full, and keeps all of it.
static void hold(int64_t number, int64_t proof) {
  size_t size = 8 << 20;
  fill(find_output(), size);
  close(find_input());
  Message reply = start_reply(FailureReply, number, proof);
  reply.numbers[ErrorKind] = Truncated;
  send_message(&reply);
  while (true) {
    Request request = receive();
    reply.numbers[Number] = request.message.numbers[Number];
    reply.numbers[Proof] = find_proof(&request);
    for (int index = 0; index < request.count; index++) fill(request.descriptors[index], size);
    send_message(&reply);
  }
}

// Delivers images as small as an image can be, which are right, as far as anybody can see, and keeps them.
static void keep(int64_t number, int64_t proof) {
  close(find_input());
  Message reply = start_reply(ImageReply, number, proof);
  reply.numbers[Width] = reply.numbers[Height] = reply.numbers[IsComplete] = 1;
  send_message(&reply);
  while (true) {
    Request request = receive();
    reply.numbers[Number] = request.message.numbers[Number];
    reply.numbers[Proof] = find_proof(&request);
    send_message(&reply);
  }
}

// The same, and seals the memory with which the program would hand out the next file.
static void seal(int64_t number, int64_t proof) {
  Message reply = start_reply(ImageReply, number, proof);
  reply.numbers[Width] = reply.numbers[Height] = reply.numbers[IsComplete] = 1;
  send_message(&reply);
  close(4);
  close(5);
  while (true) {
    Request request = receive();
    reply.numbers[Number] = request.message.numbers[Number];
    reply.numbers[Proof] = find_proof(&request);
    for (int index = 0; index < request.count; index++) fcntl(request.descriptors[index], F_ADD_SEALS, F_SEAL_WRITE);
    close_all(&request);
    send_message(&reply);
  }
}

static void answer_info(int64_t number, int64_t proof) {
  Message reply = start_reply(InfoReply, number, proof);
  reply.numbers[InfoWidth] = reply.numbers[InfoHeight] = 1ll << 48;
  send_message(&reply);
}

// An animation of two pixels by two without end, whose process may not care to be closed.
static void play(int64_t number, int64_t proof, bool isDeaf) {
  Message header = start_reply(AnimationReply, number, proof);
  header.numbers[InfoWidth] = header.numbers[InfoHeight] = 2;
  send_message(&header);
  close(4);
  close(5);
  while (true) {
    Request request = receive();
    int64_t kind = request.message.numbers[Kind];
    if (isDeaf && kind == CloseRequest) {
      while (true) sched_yield();
    }
    Message reply = start_reply(
      kind == FrameRequest ? ImageReply : DoneReply, request.message.numbers[Number], find_proof(&request));
    reply.numbers[Width] = reply.numbers[Height] = 2;
    reply.numbers[IsComplete] = 1;
    close_all(&request);
    send_message(&reply);
  }
}

int32_t take_over(const char *fault, int64_t number, int64_t proof) {
  if (IS("hold")) hold(number, proof);
  if (IS("keep")) keep(number, proof);
  if (IS("seal")) seal(number, proof);
  if (IS("huge-info")) {
    answer_info(number, proof);
    return 0;
  }
  if (IS("endless-animation")) play(number, proof, false);
  if (IS("deaf-animation")) play(number, proof, true);
  return -1;
}

void pretend(int64_t protections) {
  // The first request, which comes without memory.
  Message reply = start_reply(ReadyReply, 1, 0);
  reply.numbers[Protections] = protections;
  send_message(&reply);
  while (true) sched_yield();
}
