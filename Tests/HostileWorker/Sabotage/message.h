#ifndef SABOTAGE_MESSAGE_H
#define SABOTAGE_MESSAGE_H

#include <stdint.h>
#include <string.h>

#define IS(name) (strcmp(fault, name) == 0)

enum { Channel = 3 };

typedef struct Message {
  int64_t numbers[64];
  char text[256];
} Message;

/// The places of numbers in a message, and what they mean.
enum {
  Kind = 2, Number = 3, Protections = 4, Width = 4, InputCount = 4, Height = 5, OutputCount = 5, Colors = 7, IsComplete = 8, Offset = 9,
  ProfileCount = 11, InfoWidth = 15, InfoHeight = 16, IsEndless = 23, ErrorKind = 24, Proof = 62, TextCount = 63,
};
enum { ReadyReply = 0, ImageReply = 1, NoReply = 2, InfoReply = 3, AnimationReply = 4, FailureReply = 5, DoneReply = 6 };
enum { InfoRequest = 4, OpenRequest = 6, FrameRequest = 7, CloseRequest = 8 };
enum { Truncated = 6, Corrupt = 7, Cancelled = 11 };

Message start_reply(int64_t kind, int64_t number, int64_t proof);
void send_message(const Message *message);

/// The memory for pixels, and that with the file: the smaller one.
int find_output(void);
int find_input(void);

/// Serves all further requests of the program in a way of its own, and does not return. Returns -1 if there is no such way.
int32_t take_over(const char *fault, int64_t number, int64_t proof);

#endif
