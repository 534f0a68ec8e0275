/* As futex_stale_value.c, but it sleeps on the count that made it fail.
 * expect: holds
 * run: run
 */
#define FIX
#include "futex_stale_value.c"
