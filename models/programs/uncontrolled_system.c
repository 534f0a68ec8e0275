/* Another program is started: it is not under control.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <stdlib.h>

int main(void) { return system("true"); }
