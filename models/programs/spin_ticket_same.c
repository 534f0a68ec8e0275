/* A ticket lock whose numbers are drawn in two steps: both threads may be served at once, or one never.
 * expect: violated
 * run: run
 */
#define SAME
#include "spin_ticket.c"
