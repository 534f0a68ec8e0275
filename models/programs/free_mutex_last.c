/* The last who lets go of a lock frees it: each of them has let go before.
 * expect: holds
 * run: run
 */
#include <pthread.h>
#include <stdlib.h>

static struct counted {
  pthread_mutex_t mutex;
  int users;
} *counted;

static void *leaves(void *unused) {
  pthread_mutex_lock(&counted->mutex);
  int left = --counted->users;
  pthread_mutex_unlock(&counted->mutex);
  if (left) return unused;
  pthread_mutex_destroy(&counted->mutex);
  free(counted);
  return unused;
}

int main(void) {
  pthread_t a, b;
  counted = malloc(sizeof *counted);
  pthread_mutex_init(&counted->mutex, 0);
  counted->users = 2;
  pthread_create(&a, 0, leaves, 0);
  pthread_create(&b, 0, leaves, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
