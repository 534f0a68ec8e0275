/* A process ends while its other thread may be between two writes to a file.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int file;

static void *work(void *unused) {
  write(file, "a", 1);
  write(file, "b", 1);
  return unused;
}

int main(void) {
  file = open(P_tmpdir "/a", O_RDWR | O_CREAT, 0600);
  pid_t child = fork();
  if (!child) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    _exit(0);
  }
  waitpid(child, 0, 0);
  assert(lseek(file, 0, SEEK_END) != 1);
}
