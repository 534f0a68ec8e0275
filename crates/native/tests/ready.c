/* Executes little programs of threads that wait for what is ready, given as words, one for each
 * thread: the real side of ready.rs.
 *
 * There are a counter, one that is a semaphore, a pipe, and two epolls, the second of which may
 * watch the first. A statement is a letter, a digit, and `?` if the next statement is left out when
 * it gives 0. At the end the values that each thread got are reported by a failing assertion. */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <unistd.h>

enum { MOST = 4, WATCHES = 4 };

struct thread {
  const char *words;
  int number, said;
  char got[64];
};

static int event[2], ends[2], epoll[2];
static const char *config; /* of each watch: 0 not there at first, 1 there, 2 once */
static sem_t start[MOST], over[MOST];

/* Watch 0: the counter, 1: the pipe, both in the first epoll; 2: the semaphore, 3: the first epoll,
   both in the second. */
static int control(int command, int x) {
  int watched[WATCHES] = {event[0], ends[0], event[1], epoll[0]};
  struct epoll_event e = {.events = EPOLLIN, .data.u32 = 1u << x};
  if (config[x] == '2') e.events |= EPOLLONESHOT;
  return epoll_ctl(epoll[x / 2], command, watched[x], &e) == 0;
}

static int waits(int x, int within) {
  struct epoll_event told[4];
  int n = epoll_wait(epoll[x], told, 4, within), all = 0;
  for (int i = 0; i < n; i++) all |= (int)told[i].data.u32;
  return all;
}

static int polls(int within) {
  struct pollfd all[] = {{event[0], POLLIN, 0}, {ends[0], POLLIN, 0}, {epoll[1], POLLIN, 0}};
  poll(all, 3, within);
  return (all[0].revents != 0) | (all[1].revents != 0) << 1 | (all[2].revents != 0) << 2;
}

static int selects(void) {
  fd_set all;
  FD_ZERO(&all);
  FD_SET(event[1], &all);
  FD_SET(epoll[0], &all);
  struct timeval none = {0, 0};
  int most = event[1] > epoll[0] ? event[1] : epoll[0];
  select(most + 1, &all, 0, 0, &none);
  return (FD_ISSET(event[1], &all) ? 1 : 0) | (FD_ISSET(epoll[0], &all) ? 2 : 0);
}

static int execute(char what, int x) {
  uint64_t value = 1;
  char byte = 1;
  switch (what) {
  case 'A': return write(event[x], &value, 8) == 8;
  case 'D': return read(event[x], &value, 8) == 8 ? (int)value : 0;
  case 'I': return write(ends[1], &byte, 1) == 1;
  case 'O': return read(ends[0], &byte, 1) == 1;
  case 'W': return waits(x, -1);
  case 'w': return waits(x, 0);
  case 't': return waits(x, 5);
  case 'p': return polls(-1);
  case 'q': return polls(0);
  case 's': return selects();
  case 'N': return control(EPOLL_CTL_ADD, x);
  case 'M': return control(EPOLL_CTL_MOD, x);
  case 'X': return control(EPOLL_CTL_DEL, x);
  default: abort();
  }
}

static void *run(void *given) {
  struct thread *t = given;
  sem_wait(&start[t->number]);
  for (const char *at = t->words; *at;) {
    int value = execute(at[0], at[1] - '0'), asks = at[2] == '?';
    t->got[t->said++] = (char)('0' + value);
    at += 2 + asks;
    if (asks && !value && *at) at += at[2] == '?' ? 3 : 2;
  }
  sem_post(&over[t->number]);
  return 0;
}

/* The watches; then the words of each. */
int main(int argc, char **argv) {
  static struct thread threads[MOST];
  pthread_t ids[MOST];
  int n = argc - 2;
  config = argv[1];
  event[0] = eventfd(0, 0);
  event[1] = eventfd(0, EFD_SEMAPHORE);
  if (pipe(ends)) abort();
  for (int i = 0; i < 2; i++) epoll[i] = epoll_create1(0);
  for (int i = 0; i < WATCHES; i++)
    if (config[i] != '0') control(EPOLL_CTL_ADD, i);
  for (int i = 0; i < n; i++) sem_init(&start[i], 0, 0), sem_init(&over[i], 0, 0);
  for (int i = 0; i < n; i++) {
    threads[i] = (struct thread){.words = argv[2 + i], .number = i};
    pthread_create(&ids[i], 0, run, &threads[i]);
  }
  for (int i = 0; i < n; i++) sem_post(&start[i]);
  for (int i = 0; i < n; i++) sem_wait(&over[i]);
  char all[MOST * 64] = "";
  for (int i = 0; i < n; i++) {
    pthread_join(ids[i], 0);
    strcat(strcat(all, i ? "," : ""), threads[i].got);
  }
  extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
  __assert_fail(all, "", 0, "");
}
