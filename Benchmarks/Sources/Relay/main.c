// Relay PORT MILLISECONDS MEGABITS
//
// A slow, long way to 127.0.0.1:PORT: so many milliseconds there and back, so many megabits a second for all connections
// together, each way. Prints the port where it begins, and ends with its standard input.
//
// A connection takes one round trip before its first bytes go out, as a handshake does. What waits for its turn on the way is
// bounded by 50 ms; the rest stays with its sender. Nothing is lost, and nobody starts slowly.

#define _GNU_SOURCE

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { most_connections = 256, piece_size = 16 * 1024 };

typedef struct piece {
  struct piece *next;
  double due;
  size_t count, sent;
  char bytes[piece_size];
} piece;

// One direction of a connection.
typedef struct way {
  int from, to;
  double opens;  // nothing leaves before
  piece *first, **last;
  int has_ended;  // its sender
} way;

static way ways[2 * most_connections];  // there, and back
static int count;
static double one_way, bytes_per_second, free_at[2];

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static struct sockaddr_in loopback(uint16_t port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

static void unblock(int socket) {
  fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK);
}

static void take(int listener, uint16_t port) {
  int client = accept(listener, NULL, NULL);
  if (client < 0) return;
  int server = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = loopback(port);
  if (count == 2 * most_connections || connect(server, (struct sockaddr *)&address, sizeof address) != 0) {
    close(client), close(server);
    return;
  }
  unblock(client), unblock(server);
  double opens = now() + 2 * one_way;
  ways[count] = (way){.from = client, .to = server, .opens = opens};
  ways[count + 1] = (way){.from = server, .to = client, .opens = opens};
  for (int index = count; index < count + 2; index++) ways[index].last = &ways[index].first;
  count += 2;
}

static void receive(way *way, int direction, double time) {
  piece *piece = malloc(sizeof *piece);
  ssize_t length = read(way->from, piece->bytes, piece_size);
  if (length <= 0) {
    if (length == 0 || errno != EAGAIN) way->has_ended = 1;
    free(piece);
    return;
  }
  double start = time > way->opens ? time : way->opens;
  if (start < free_at[direction]) start = free_at[direction];
  free_at[direction] = start + (double)length / bytes_per_second;
  piece->next = NULL, piece->due = free_at[direction] + one_way;
  piece->count = (size_t)length, piece->sent = 0;
  *way->last = piece, way->last = &piece->next;
}

// False if nobody takes it any more.
static int deliver(way *way, double time) {
  while (way->first != NULL && way->first->due <= time) {
    piece *piece = way->first;
    ssize_t length = write(way->to, piece->bytes + piece->sent, piece->count - piece->sent);
    if (length < 0) return errno == EAGAIN;
    piece->sent += (size_t)length;
    if (piece->sent < piece->count) return 1;
    way->first = piece->next;
    if (way->first == NULL) way->last = &way->first;
    free(piece);
  }
  return 1;
}

static void drop(way *way) {
  while (way->first != NULL) {
    piece *next = way->first->next;
    free(way->first), way->first = next;
  }
  way->last = &way->first;
}

static void end(int index) {
  close(ways[index].from), close(ways[index].to);
  drop(&ways[index]), drop(&ways[index + 1]);
  count -= 2;
  if (index == count) return;
  for (int side = 0; side < 2; side++) {
    ways[index + side] = ways[count + side];
    if (ways[index + side].first == NULL) ways[index + side].last = &ways[index + side].first;
  }
}

int main(int argumentCount, char **arguments) {
  if (argumentCount != 4) return fprintf(stderr, "Relay PORT MILLISECONDS MEGABITS\n"), 2;
  uint16_t port = (uint16_t)atoi(arguments[1]);
  one_way = atof(arguments[2]) / 2000, bytes_per_second = atof(arguments[3]) * 125000;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = loopback(0);
  socklen_t length = sizeof address;
  if (bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 256) != 0) return 1;
  getsockname(listener, (struct sockaddr *)&address, &length);
  printf("%d\n", ntohs(address.sin_port)), fflush(stdout);
  signal(SIGPIPE, SIG_IGN);

  static struct pollfd waits[2 * most_connections + 2];
  while (1) {
    double time = now(), next = time + 1;
    for (int index = 0; index < count; index++) {
      way *way = &ways[index];
      int is_full = free_at[index % 2] - time > 0.05;
      int is_due = way->first != NULL && way->first->due <= time;
      if (is_full && free_at[index % 2] - 0.05 < next) next = free_at[index % 2] - 0.05;
      if (way->first != NULL && !is_due && way->first->due < next) next = way->first->due;
      // Each end is the source of one way and the goal of the other.
      waits[index].fd = way->from;
      waits[index].events = is_full || way->has_ended ? 0 : POLLIN;
      waits[index].revents = 0;
    }
    for (int index = 0; index < count; index++) {
      way *way = &ways[index];
      if (way->first != NULL && way->first->due <= time) waits[index ^ 1].events |= POLLOUT;
    }
    // An end of which nothing is asked would say for ever that it hangs.
    for (int index = 0; index < count; index++) if (waits[index].events == 0) waits[index].fd = -1;
    waits[count] = (struct pollfd){.fd = listener, .events = POLLIN};
    waits[count + 1] = (struct pollfd){.fd = 0, .events = POLLIN};
    double pause = next - now();
    struct timespec timeout = {0, pause > 0 ? (long)(pause * 1e9) : 0};
    if (timeout.tv_nsec > 999999999) timeout.tv_nsec = 999999999;
    if (ppoll(waits, (nfds_t)count + 2, &timeout, NULL) < 0) return 1;
    if (waits[count + 1].revents) return 0;

    time = now();
    int known = count;
    for (int index = 0; index < known; index++) {
      if (waits[index].revents & (POLLIN | POLLHUP | POLLERR)) {
        if (free_at[index % 2] - time <= 0.05 && !ways[index].has_ended) receive(&ways[index], index % 2, time);
      }
    }
    if (waits[count].revents) take(listener, port);
    for (int index = known - 2; index >= 0; index -= 2) {
      int lives = deliver(&ways[index], time) && deliver(&ways[index + 1], time);
      int is_over = (ways[index].has_ended && ways[index + 1].first == NULL)
          || (ways[index + 1].has_ended && ways[index + 1].first == NULL);
      if (!lives || is_over) end(index);
    }
  }
}
