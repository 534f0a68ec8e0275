/* A log that many threads write to and none reads: the order of its lines is no concern of the program's.
 * expect: holds
 * run: run --max-runs 1
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int file;

static void *work(void *name) {
  for (int i = 0; i < 20; i++) write(file, name, 2);
  return 0;
}

int main(void) {
  pthread_t t[5];
  file = open(P_tmpdir "/weave.log", O_CREAT | O_WRONLY | O_APPEND, 0600);
  for (int i = 0; i < 5; i++) pthread_create(&t[i], 0, work, "x\n");
  for (int i = 0; i < 5; i++) pthread_join(t[i], 0);
  return 0;
}
