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
  Kind = 2, Number = 3, InputCount = 4, OutputCount = 5, Proof = 4, Protections = 5, ErrorKind = 5, Width = 5, Height = 6, Colors = 8,
  IsComplete = 9, Offset = 10, ProfileCount = 12, InfoWidth = 6, InfoHeight = 7, TextCount = 63,
};
enum { ReadyReply = 0, ImageReply = 1, NoReply = 2, InfoReply = 3, AnimationReply = 4, FailureReply = 5, DoneReply = 6 };
enum { InfoRequest = 4, OpenRequest = 6, FrameRequest = 7, CloseRequest = 8 };
enum { Truncated = 9, Corrupt = 10, Cancelled = 14 };

Message start_reply(int64_t kind, int64_t number, int64_t proof);
void send_message(const Message *message);

/// The memory for pixels, and that with the file: the smaller one.
int find_output(void);
int find_input(void);

/// Serves all further requests of the program in a way of its own, and does not return. Returns -1 if there is no such way.
int32_t take_over(const char *fault, int64_t number, int64_t proof);

#endif
