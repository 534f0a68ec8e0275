/* A buffer for one item, with a mutex and two condition variables. -DP producers, -DC consumers, -DK items a producer.
 * -DONE: one condition variable for both conditions, and signal instead of broadcast: a wake-up goes to the wrong thread and
 * all wait forever. The mutex is initialised twice, statically and again in main, which is no error.
 * expect: holds
 * run: run -D K=3
 */
#include <assert.h>
#include <pthread.h>

#ifndef P
#define P 1
#endif
#ifndef C
#define C 1
#endif
#ifndef K
#define K 2
#endif

static int buffer, full;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
#ifdef ONE
#define EMPTIED filled
#else
#define EMPTIED emptied
#endif

static void *producer(void *unused) {
  for (int k = 0; k < K; k++) {
    pthread_mutex_lock(&mutex);
    while (full) pthread_cond_wait(&EMPTIED, &mutex);
    buffer = k + 1;
    full = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}
static void *consumer(void *unused) {
  for (int k = 0; k < K * P / C; k++) {
    pthread_mutex_lock(&mutex);
    while (!full) pthread_cond_wait(&filled, &mutex);
    assert(buffer);
    full = 0;
    pthread_cond_signal(&EMPTIED);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t threads[P + C];
  pthread_mutex_init(&mutex, 0);
  pthread_cond_init(&filled, 0);
  pthread_cond_init(&emptied, 0);
  for (int i = 0; i < P; i++) pthread_create(&threads[i], 0, producer, 0);
  for (int i = 0; i < C; i++) pthread_create(&threads[P + i], 0, consumer, 0);
  for (int i = 0; i < P + C; i++) pthread_join(threads[i], 0);
  return 0;
}
