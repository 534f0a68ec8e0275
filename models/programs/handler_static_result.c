/* What gmtime returns lies in the library, and a handler that calls it too overwrites that.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static void handle(int unused) {
  (void)unused;
  time_t later = 100000000;
  gmtime(&later);
}

int main(void) {
  signal(SIGALRM, handle);
  time_t first = 0;
  alarm(1);
  struct tm *found = gmtime(&first);
  assert(found->tm_year == 70);
  alarm(0);
  return 0;
}
