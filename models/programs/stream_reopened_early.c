/* The same where nothing was a file before: not followed.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <pthread.h>
#include <stdio.h>

static void *other(void *unused) {
  freopen(P_tmpdir "/weave.second", "w", stdout);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  putchar('a');
  pthread_join(thread, 0);
  return 0;
}
