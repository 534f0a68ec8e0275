/* `nan` reads its text.
 * expect: violated
 * expect race: violated
 * run: run
 */
#include <math.h>
#include <pthread.h>

static char text[] = "12";
static double none;

static void *make(void *p) {
  none = nan(text);
  return p;
}

int main(void) {
  pthread_t maker;
  pthread_create(&maker, 0, make, 0);
  text[1] = '3';
  pthread_join(maker, 0);
  return 0;
}
