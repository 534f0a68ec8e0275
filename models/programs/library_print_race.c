/* snprintf reads the strings that its format names.
 * expect: violated
 * run: run
 * reason: race
 */
#include <pthread.h>
#include <stdio.h>

static char name[8] = "ab";

static void *prints(void *unused) {
  char text[32];
  snprintf(text, sizeof text, "%d %.4s %s", 1, "x", name);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, prints, 0);
  name[1] = 'c';
  pthread_join(other, 0);
  return 0;
}
