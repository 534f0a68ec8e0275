/* The same with a `while`: nothing wrong is found; that no number of wake-ups does harm is more than a search can say.
 * expect: unknown
 * reason: uncontrolled
 * run: run --spurious-wakeups=2
 */
#define FIX
#include "condition_if.c"
