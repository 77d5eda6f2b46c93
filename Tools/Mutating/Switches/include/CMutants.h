#ifndef CMUTANTS_H
#define CMUTANTS_H

// The switch in front of each mutant. It includes nothing: sources that it is put into say themselves what they want
// of the system's headers before the first of them.

/// The mutant of this process: the number in the environment variable `MUTANT`, and without one none.
extern int mutants_chosen;

/// A byte for each mutant, in the file that `MUTANTS_REACHED` names; null without one.
extern unsigned char *mutants_reached;

/// Whether the code is to be that of this mutant.
static inline _Bool mutant_is(int number) {
  if (mutants_reached) mutants_reached[number] = 1;
  return number == mutants_chosen;
}

#endif
