/* A spin lock is taken again by the thread that holds it: both spin forever.
 * expect: violated
 * reason: deadlock
 * run: run
 */
#define TWICE
#define N 2
#include "spin_exchange.c"
