/* A handler may run before its thread has put something under a key.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_key_t key;
static void handle(int unused) {
  (void)unused;
  assert(pthread_getspecific(key));
}

int main(void) {
  pthread_key_create(&key, 0);
  signal(SIGUSR1, handle);
  pid_t parent = getpid(), child = fork();
  if (!child) {
    kill(parent, SIGUSR1);
    _exit(0);
  }
  pthread_setspecific(key, &key);
  waitpid(child, 0, 0);
  return 0;
}
