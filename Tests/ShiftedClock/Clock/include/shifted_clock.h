#ifndef SHIFTED_CLOCK_H
#define SHIFTED_CLOCK_H

// Sets the wall clock of this process forward or back, for everything that asks the C library: the functions are defined in
// the program itself, so that those of the library are not found. Other clocks stay as they are.
void shifted_clock_set(long seconds);

#endif
