/* A process ends while its other thread may not have done its assignment yet.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int *done;

static void *work(void *unused) {
  *done = 1;
  return unused;
}

int main(void) {
  done = mmap(0, sizeof *done, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t child = fork();
  if (!child) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    _exit(0);
  }
  waitpid(child, 0, 0);
  assert(*done);
}
