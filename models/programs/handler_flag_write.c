/* The usual handler: it sets a flag and writes; what it interrupts prints and allocates.
 * expect: holds
 * run: run
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile sig_atomic_t rang;
static void handle(int unused) {
  (void)unused;
  rang = 1;
  write(1, "!", 1);
}

int main(void) {
  signal(SIGALRM, handle);
  alarm(1);
  char *text = malloc(30);
  snprintf(text, 30, "%d", 7);
  printf("%s\n", text);
  free(text);
  alarm(0);
  return rang > 1;
}
