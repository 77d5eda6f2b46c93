#ifndef CJOBS_H
#define CJOBS_H

/// Has every job that would go to the pool of threads given to `take` instead.
void cjobs_catch(void (*take)(void *job));

#endif
