/* Threads put four numbers each into a hash table with a lock for each cell (Flanagan and Godefroid, POPL 2005). Up to eleven
 * threads never meet; each one more multiplies the number of complete runs by eight.
 * expect: holds
 * run: run -D N=12
 */
#include <pthread.h>

#ifndef N
#define N 12
#endif
#define SIZE 128
#define MANY 4

static int table[SIZE];
static pthread_mutex_t locks[SIZE];

static int put(int cell, int value) {
  pthread_mutex_lock(&locks[cell]);
  int free = table[cell] == 0;
  if (free) table[cell] = value;
  pthread_mutex_unlock(&locks[cell]);
  return free;
}

static void *worker(void *argument) {
  int id = (int)(long)argument;
  for (int k = 1; k <= MANY; k++) {
    int value = k * 11 + id, cell = value * 7 % SIZE;
    while (!put(cell, value)) cell = (cell + 1) % SIZE;
  }
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < SIZE; i++) pthread_mutex_init(&locks[i], 0);
  for (long i = 0; i < N; i++) pthread_create(&threads[i], 0, worker, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
  return 0;
}
