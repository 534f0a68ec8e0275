/* The bare floor of `xtask bench programs`: how often a program runs without control.
 *
 * Linked with the program, whose main function is called `program_main`. Each run is a child of its own, as under the fork server;
 * it is over when all processes of it are. Prints runs a second. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int program_main(int argc, char **argv);

enum { RUNS = 2000 };

int main(int argc, char **argv) {
  struct timespec begin, end;
  if (unshare(CLONE_NEWUSER | CLONE_NEWIPC)) perror("unshare"); /* what the program leaves behind goes with us */
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  int null = open("/dev/null", O_WRONLY);
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (int i = 0; i < RUNS; i++) {
    if (fork() == 0) {
      dup2(null, 1);
      exit(program_main(argc, argv));
    }
    while (wait(0) > 0 || errno == EINTR) {}
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  printf("%f\n", RUNS / ((double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9));
}
