/* One thread closes a file, another writes to it: whether that works depends on who is first.
 * expect: violated
 * run: run
 * reason: assertion
 */
#include <stdio.h>
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int file;

static void *closes(void *unused) {
  close(file);
  return unused;
}

int main(void) {
  file = open(P_tmpdir "/weave.log", O_CREAT | O_RDWR, 0600);
  pthread_t other;
  pthread_create(&other, 0, closes, 0);
  assert(write(file, "a", 1) == 1);
  pthread_join(other, 0);
  return 0;
}
