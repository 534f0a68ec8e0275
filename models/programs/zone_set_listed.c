/* The time zone is set in one thread and used in another; without the race, the order is a bug, too.
 * expect: violated
 * reason: assertion
 * run: run --races list
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static void *other(void *unused) {
  setenv("TZ", "UTC+5", 1);
  tzset();
  return unused;
}

int main(void) {
  pthread_t thread;
  time_t zero = 0;
  struct tm parts;
  setenv("TZ", "UTC", 1);
  tzset();
  pthread_create(&thread, 0, other, 0);
  localtime_r(&zero, &parts);
  assert(parts.tm_hour == 0);
  pthread_join(thread, 0);
  return 0;
}
