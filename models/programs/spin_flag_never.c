/* A thread spins on a flag that is never set: a deadlock, though it never stops computing.
 * expect: violated
 * reason: deadlock
 * run: run
 */
#define NEVER
#include "spin_flag.c"
