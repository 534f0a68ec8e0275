/* strsep reads the characters at which it ends a word while another thread changes them.
 * expect: violated
 * run: run
 * reason: race: `ends`
 */
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <string.h>

static char ends[] = "/", path[] = "usr/lib:etc";

static void *changes(void *unused) {
  ends[0] = ':';
  return unused;
}

int main(void) {
  char *rest = path;
  pthread_t other;
  pthread_create(&other, 0, changes, 0);
  strsep(&rest, ends);
  pthread_join(other, 0);
  return 0;
}
