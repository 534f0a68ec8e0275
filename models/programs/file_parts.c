/* Four threads write parts of a file that do not meet; it is read when all are joined. There is nothing to explore.
 * expect: holds
 * run: run --max-runs 1
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int file;

static void *work(void *at) {
  long i = (long)at;
  char c = (char)('a' + i);
  pwrite(file, &c, 1, i);
  return 0;
}

int main(void) {
  pthread_t t[4];
  char text[8] = "";
  file = open(P_tmpdir "/weave.data", O_CREAT | O_RDWR | O_TRUNC, 0600);
  for (long i = 0; i < 4; i++) pthread_create(&t[i], 0, work, (void *)i);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  assert(pread(file, text, 8, 0) == 4 && !strcmp(text, "abcd"));
  return 0;
}
