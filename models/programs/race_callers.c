/* A race: both accesses are told with their callers.
 * expect: violated
 * reason: race
 * run: run
 */
#include <pthread.h>

static int total;

static __attribute__((noinline)) void add(int amount) { total += amount; }
static __attribute__((noinline)) void deposit(void) {
  add(1);
  __asm__ volatile("");
}
static __attribute__((noinline)) void withdraw(void) {
  add(-1);
  __asm__ volatile("");
}

static void *client(void *unused) {
  deposit();
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, client, 0);
  withdraw();
  pthread_join(a, 0);
  return 0;
}
