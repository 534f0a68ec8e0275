/* Standard output becomes another file while a thread prints.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>

static void *other(void *unused) {
  freopen(P_tmpdir "/weave.second", "w", stdout);
  return unused;
}

int main(void) {
  pthread_t thread;
  struct stat about;
  freopen(P_tmpdir "/weave.first", "w", stdout);
  pthread_create(&thread, 0, other, 0);
  putchar('a');
  pthread_join(thread, 0);
  fflush(stdout);
  stat(P_tmpdir "/weave.second", &about);
  assert(about.st_size == 0);
  return 0;
}
