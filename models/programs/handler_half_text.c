/* A handler may find a text half copied: that is not explored.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static char text[64];
static void handle(int unused) {
  (void)unused;
  assert((text[0] == 'a') == (text[2] == 'c'));
}

int main(void) {
  signal(SIGALRM, handle);
  alarm(1);
  strcpy(text, "abc");
  alarm(0);
  return 0;
}
