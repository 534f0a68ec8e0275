/* The first thread stores and ends; the second may end the process before that.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static _Atomic int *done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *end(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  _exit(0);
  return unused;
}

int main(void) {
  done = mmap(0, sizeof *done, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t child = fork();
  if (!child) {
    pthread_t thread;
    pthread_create(&thread, 0, end, 0);
    *done = 1;
    pthread_exit(0);
  }
  waitpid(child, 0, 0);
  assert(*done);
}
