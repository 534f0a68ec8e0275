/* Executes little programs that are given as words, one for each thread (or process, if the first
 * word is p): the real side of oracle.rs.
 *
 * A statement is a letter, one or two digits, and `?` if the next statement is left out when it
 * gives 0. Locks are let go by who holds them only, and waits on condition variables are for those
 * who hold the mutex: other such statements are left out, as no other thread can see that. At the
 * end the values that each thread got are reported by a failing assertion, so that the search lists
 * them. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <weave.h>

enum { MOST = 4 };

struct world {
  pthread_mutex_t mutex[2];
  pthread_cond_t condition[2];
  sem_t semaphore[2];
  pthread_rwlock_t rwlock[2];
  pthread_barrier_t barrier[2];
  atomic_int variable[2];
  char got[MOST][64];
};
static struct world *w;
static int processes;
/* Of this process alone: counters for all threads, and one that each thread has for itself. A
   child of a fork has copies of them. */
static atomic_int own[2];
static int mine[MOST];
static mqd_t queue[2];
static int ends[2][2];

struct thread {
  const char *words;
  int number, held[2], reads[2], writes[2], said;
};

static const struct timespec limit = {1, 0};

/* What a child finds in its copies, reported by its status. */
static int fork_and_look(int x) {
  int status = 0, child = fork();
  if (!child) _exit(own[x] % 2 + 2 * (mine[x] % 2));
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

/* The value that the statement gives; -1: it was left out. */
static int execute(struct thread *t, char what, int x, int y) {
  char byte = (char)('1' + t->number);
  switch (what) {
  case 'L': return t->held[x] ? -1 : (pthread_mutex_lock(&w->mutex[x]), t->held[x] = 1);
  case 'T': return t->held[x] ? -1 : (t->held[x] = pthread_mutex_trylock(&w->mutex[x]) == 0);
  case 't': return t->held[x] ? -1 : (t->held[x] = pthread_mutex_timedlock(&w->mutex[x], &limit) == 0);
  case 'U': return !t->held[x] ? -1 : (t->held[x] = 0, pthread_mutex_unlock(&w->mutex[x]), 1);
  case 'C': return !t->held[y] ? -1 : (pthread_cond_wait(&w->condition[x], &w->mutex[y]), 1);
  case 'c': return !t->held[y] ? -1 : pthread_cond_timedwait(&w->condition[x], &w->mutex[y], &limit) == 0;
  case 'N': return pthread_cond_signal(&w->condition[x]), 1;
  case 'B': return pthread_cond_broadcast(&w->condition[x]), 1;
  case 'W': return sem_wait(&w->semaphore[x]), 1;
  case 'V': return sem_trywait(&w->semaphore[x]) == 0;
  case 'v': return sem_timedwait(&w->semaphore[x], &limit) == 0;
  case 'P': return sem_post(&w->semaphore[x]), 1;
  case 'R': return atomic_load(&w->variable[x]) % 2;
  case 'S': return atomic_fetch_add(&w->variable[x], 1), 1;
  case 'J': return sem_init(&w->semaphore[x], processes, (unsigned)y), 1;
  case 's': return own[x]++, 1;
  case 'k': return mine[t->number]++, 1;
  case 'F': return fork_and_look(x);
  case 'X': return weave_toss(1);
  case 'Z': return usleep((unsigned)(x + 1) * 1000), 1;
  case 'r': return t->reads[x] || t->writes[x] ? -1 : (pthread_rwlock_rdlock(&w->rwlock[x]), t->reads[x] = 1);
  case 'x': return t->reads[x] || t->writes[x] ? -1 : (pthread_rwlock_wrlock(&w->rwlock[x]), t->writes[x] = 1);
  case 'y': return t->reads[x] || t->writes[x] ? -1 : (t->reads[x] = pthread_rwlock_tryrdlock(&w->rwlock[x]) == 0);
  case 'z': return t->reads[x] || t->writes[x] ? -1 : (t->writes[x] = pthread_rwlock_trywrlock(&w->rwlock[x]) == 0);
  case 'u': return !t->reads[x] && !t->writes[x] ? -1 : (t->reads[x] = t->writes[x] = 0, pthread_rwlock_unlock(&w->rwlock[x]), 1);
  case 'A': return pthread_barrier_wait(&w->barrier[x]) == PTHREAD_BARRIER_SERIAL_THREAD;
  case 'Q': return mq_send(queue[x], &byte, 1, 0), 1;
  case 'G': return mq_receive(queue[x], &byte, 1, 0), byte - '0';
  case 'I': return write(ends[x][1], &byte, 1), 1;
  case 'O': return read(ends[x][0], &byte, 1), byte - '0';
  default: abort();
  }
}

/* For persistent sets: what the thread may use, and in any way. */
static void declare(const char *words) {
  struct weave_use uses[64];
  int n = 0;
  for (const char *at = words; *at && n < 60; at++) {
    int x = at[1] - '0';
    if (strchr("LTtU", *at)) uses[n++].object = WEAVE_AT(&w->mutex[x]);
    if (strchr("CcNB", *at)) uses[n++].object = WEAVE_AT(&w->condition[x]);
    if (strchr("Cc", *at)) uses[n++].object = WEAVE_AT(&w->mutex[at[2] - '0']);
    if (strchr("WVvPJ", *at)) uses[n++].object = WEAVE_AT(&w->semaphore[x]);
    if (strchr("RS", *at)) uses[n++].object = WEAVE_AT(&w->variable[x]);
    if (strchr("rxyzu", *at)) uses[n++].object = WEAVE_AT(&w->rwlock[x]);
    if (strchr("A", *at)) uses[n++].object = WEAVE_AT(&w->barrier[x]);
  }
  for (int i = 0; i < n; i++) uses[i].how = WEAVE_ANY;
  weave_declare(n, uses);
}

static int declares;
static void *run(void *given) {
  struct thread *t = given;
  if (declares) declare(t->words);
  const char *at = t->words;
  for (int skip = 0; *at; at++) {
    char what = *at++;
    int x = *at - '0', y = 0;
    if (at[1] == '0' || at[1] == '1') y = *++at - '0';
    int asks = at[1] == '?';
    if (asks) at++;
    if (skip) {
      skip = 0;
      continue;
    }
    int value = execute(t, what, x, y);
    if (value < 0) continue;
    w->got[t->number][t->said++] = (char)('0' + value);
    skip = asks && value == 0;
  }
  return 0;
}

static void prepare(int shared) {
  pthread_mutexattr_t mutex;
  pthread_condattr_t condition;
  pthread_rwlockattr_t rwlock;
  pthread_barrierattr_t barrier;
  pthread_mutexattr_init(&mutex), pthread_mutexattr_setpshared(&mutex, shared);
  pthread_condattr_init(&condition), pthread_condattr_setpshared(&condition, shared);
  pthread_rwlockattr_init(&rwlock), pthread_rwlockattr_setpshared(&rwlock, shared);
  pthread_barrierattr_init(&barrier), pthread_barrierattr_setpshared(&barrier, shared);
  for (int i = 0; i < 2; i++) {
    pthread_mutex_init(&w->mutex[i], &mutex);
    pthread_cond_init(&w->condition[i], &condition);
    if (i == 1) pthread_rwlockattr_setkind_np(&rwlock, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&w->rwlock[i], &rwlock);
    pthread_barrier_init(&w->barrier[i], &barrier, 2);
  }
}

/* Processes or threads, and whether they declare what they use; the values of the two
   semaphores; then the words of each. */
int main(int argc, char **argv) {
  struct thread threads[MOST] = {0};
  pthread_t ids[MOST];
  int n = argc - 3;
  processes = argv[1][0] == 'p';
  declares = argv[1][1] == 'd';
  w = mmap(0, sizeof *w, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  prepare(processes);
  for (int i = 0; i < 2; i++) sem_init(&w->semaphore[i], processes, (unsigned)(argv[2][i] - '0'));
  for (int i = 0; i < 2 && !processes; i++) {
    struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = 1};
    char name[] = "/queue0";
    name[6] = (char)('0' + i);
    queue[i] = mq_open(name, O_RDWR | O_CREAT, 0600, &attributes);
    if (pipe(ends[i])) abort();
  }
  for (int i = 0; i < n; i++) {
    threads[i] = (struct thread){.words = argv[3 + i], .number = i};
    if (!processes) pthread_create(&ids[i], 0, run, &threads[i]);
    else if (!(ids[i] = (pthread_t)fork())) run(&threads[i]), _exit(0);
  }
  for (int i = 0; i < n; i++)
    if (processes) waitpid((pid_t)ids[i], 0, 0);
    else pthread_join(ids[i], 0);
  char all[MOST * 64] = "";
  for (int i = 0; i < n; i++) strcat(strcat(all, i ? "," : ""), w->got[i]);
  extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
  __assert_fail(all, "", 0, "");
}
