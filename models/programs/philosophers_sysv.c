/* The dining philosophers of the VeriSoft paper: one process each, System V semaphores for forks, no loops.
 * All take the left fork, and none gets the right one. Declares what it will use, for persistent sets.
 * -DN=n philosophers; -DFIX: the last takes the right fork first, and all is well.
 * expect: violated
 * run: run
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <unistd.h>
#include <weave.h>

#ifndef N
#define N 2
#endif

static int forks;

static void change(int fork, int by) {
  struct sembuf operation = {(unsigned short)fork, (short)by, 0};
  if (semop(forks, &operation, 1)) _exit(2);
}

static void set(int fork, int value) {
  union {
    int val;
    void *pointer;
  } argument = {value};
  semctl(forks, fork, SETVAL, argument);
}

/* From now on: wait for the forks of `waits`, put down those of `signals`. */
static void declare(int waits, const int *wait, int signals, const int *signal) {
  struct weave_use uses[4];
  int n = 0;
  for (int i = 0; i < waits; i++) uses[n++] = (struct weave_use){WEAVE_SYSV(forks, wait[i]), WEAVE_WAIT};
  for (int i = 0; i < signals; i++) uses[n++] = (struct weave_use){WEAVE_SYSV(forks, signal[i]), WEAVE_SIGNAL};
  weave_declare(n, uses);
}

static void philosopher(int i) {
  int f[2] = {i, (i + 1) % N};
#ifdef FIX
  if (i == N - 1) f[0] = (i + 1) % N, f[1] = i;
#endif
  declare(2, f, 2, f);
  change(f[0], -1);
  declare(1, f + 1, 2, f);
  change(f[1], -1);
  declare(0, f, 2, f);
  change(f[0], 1);
  declare(0, f, 1, f + 1);
  change(f[1], 1);
  declare(0, f, 0, f);
  exit(0);
}

int main(void) {
  int i;
  forks = semget(IPC_PRIVATE, N, 0600);
  for (i = 0; i < N; i++) set(i, 1);
  for (i = 0; i < N - 1; i++)
    if (fork() == 0) philosopher(i);
  philosopher(i);
}
