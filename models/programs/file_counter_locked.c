/* A counter in a file, under a mutex.
 * expect: holds
 * run: run -DLOCK
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int file;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *unused) {
  int n;
#ifdef LOCK
  pthread_mutex_lock(&mutex);
#endif
  assert(pread(file, &n, sizeof n, 0) == sizeof n);
  n++;
  assert(pwrite(file, &n, sizeof n, 0) == sizeof n);
#ifdef LOCK
  pthread_mutex_unlock(&mutex);
#endif
  return unused;
}

int main(void) {
  pthread_t a, b;
  int n = 0;
  (void)mutex;
  file = open(P_tmpdir "/weave.count", O_CREAT | O_RDWR | O_TRUNC, 0600);
  pwrite(file, &n, sizeof n, 0);
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(pread(file, &n, sizeof n, 0) == sizeof n && n == 2);
  return 0;
}
