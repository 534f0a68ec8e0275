/* Two threads do not draw the same numbers, nor do a child and its parent.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned long drawn[2];

static void *draw(void *at) {
  getrandom(at, sizeof drawn[0], 0);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, draw, &drawn[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(drawn[0] != drawn[1]);
  int ends[2];
  pipe(ends);
  pid_t child = fork();
  unsigned long mine, its;
  draw(&mine);
  if (!child) return write(ends[1], &mine, sizeof mine) < 0;
  read(ends[0], &its, sizeof its);
  assert(mine != its);
  waitpid(child, 0, 0);
  return 0;
}
