/* Exit flushes all streams: what a thread has printed by then.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static FILE *stream;

static void *prints(void *unused) {
  fputs("x", stream);
  return unused;
}

static void child(void) {
  pthread_t thread;
  stream = fopen(P_tmpdir "/weave.flushed", "w");
  pthread_create(&thread, 0, prints, 0);
  exit(0);
}

int main(void) {
  struct stat about;
  pid_t pid = fork();
  if (pid == 0) child();
  waitpid(pid, 0, 0);
  stat(P_tmpdir "/weave.flushed", &about);
  assert(about.st_size == 0);
  return 0;
}
