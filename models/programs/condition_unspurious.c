/* The `if` does no harm as long as waits end by signals alone.
 * expect: holds
 * run: run
 */
#include "condition_if.c"
