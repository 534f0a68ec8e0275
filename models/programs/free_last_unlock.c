/* The last of those who use a block frees it, behind its unlock: those of the others came before its lock. POSIX allows to destroy a mutex as soon as it
 * is unlocked.
 * expect: holds
 * run: run
 */
#include <pthread.h>
#include <stdlib.h>

static struct shared {
  pthread_mutex_t mutex;
  int users;
} *shared;

static void *leave(void *unused) {
  pthread_mutex_lock(&shared->mutex);
  int left = --shared->users;
  pthread_mutex_unlock(&shared->mutex);
  if (!left) {
    pthread_mutex_destroy(&shared->mutex);
    free(shared);
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  shared = malloc(sizeof *shared);
  pthread_mutex_init(&shared->mutex, 0);
  shared->users = 2;
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, leave, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
