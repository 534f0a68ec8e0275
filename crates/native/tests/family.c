/* Executes families of processes and threads that are given as words, one for each member: the real
 * side of families.rs.
 *
 * A statement is a letter, a digit, and `?` if the next statement is left out when it gives 0. The
 * letters of the kinds say which members are processes and which threads of the process that starts
 * them. At the end the first one tells what each got by a failing assertion.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>
#include <weave.h>

enum { MOST = 6, LONGEST = 64 };

struct world {
  pthread_mutex_t mutex[2]; /* The first is robust. */
  sem_t semaphore[2];
  atomic_int variable[2];
  char got[MOST][LONGEST];
};
static struct world *w;

struct member {
  const char *words;
  int number, held[2], blocks, said;
};
static struct member members[MOST];
static const char *kinds;
static int orphans, declares;
/* The signal that is handled, ignored, blocked and awaited; and whether what its handler
   interrupts is restarted. */
static int number = SIGUSR1, restart;

/* What a process knows of those it has started. */
static pid_t pids[MOST];
static pthread_t ids[MOST];

static mqd_t queue[2];
static int ends[2][2], alive[2], set, messages;

static void run(struct member *m);

static void *begin(void *m) {
  run(m);
  return 0;
}

static int start(struct member *m, int k) {
  members[k].blocks = m->blocks;
  if (kinds[k] == 't') return pthread_create(&ids[k], 0, begin, &members[k]), '1';
  pids[k] = fork();
  if (pids[k]) return '1';
  run(&members[k]);
  _exit(4 * k);
}

/* A handler has interrupted it; or something else. */
static int failed(int otherwise) { return errno == EINTR ? 'i' : otherwise; }

static int status_of(pid_t pid, int status) {
  if (pid < 0) return failed('E');
  if (pid == 0) return '0';
  return WIFEXITED(status) ? 'a' + WEXITSTATUS(status) : '!';
}

static int await(pid_t pid, int options) {
  int status = 0;
  pid = waitpid(pid, &status, options);
  return status_of(pid, status);
}

static int operate(int x, int change, int flags) {
  struct sembuf one = {(unsigned short)x, (short)change, (short)flags};
  return semop(set, &one, 1) ? failed('0') : '1';
}

static int lock(struct member *m, int x, int error) {
  if (error == ENOTRECOVERABLE) return 'N';
  if (error && error != EOWNERDEAD) return '0';
  m->held[x] = 1;
  return error ? 'D' : '1';
}

static int message(int type, int flags) {
  struct { long type; char byte; } got;
  return msgrcv(messages, &got, 1, type, flags) < 0 ? failed('0') : got.byte;
}

static sigset_t the_signal(void) {
  sigset_t signals;
  sigemptyset(&signals), sigaddset(&signals, number);
  return signals;
}

static void block(int how) {
  sigset_t signals = the_signal();
  pthread_sigmask(how, &signals, 0);
}

static int await_signal(void) {
  sigset_t signals = the_signal();
  int got;
  return sigwait(&signals, &got) ? '0' : '1';
}

static void handle(int signal) { (void)signal, atomic_fetch_add(&w->variable[1], 1); }

/* 0: it is handled, 1: ignored, 2: as usual, 3: as usual, and children leave nothing behind. */
static int act(int how) {
  struct sigaction action = {.sa_handler = how == 0 ? handle : how == 1 ? SIG_IGN : SIG_DFL};
  if (how == 0) action.sa_flags = restart;
  if (how == 3) action.sa_flags = SA_NOCLDWAIT;
  return sigaction(number, &action, 0) ? 'E' : '1';
}

static int is_pending(void) {
  sigset_t signals;
  return sigpending(&signals) ? 'E' : sigismember(&signals, number) ? '1' : '0';
}

/* What the statement gives; -1: it was left out. */
static int execute(struct member *m, char what, int x) {
  char byte = (char)('1' + m->number);
  switch (what) {
  case 'F': return start(m, x);
  case 'W': return pids[x] ? await(pids[x], 0) : -1;
  case 'N': return pids[x] ? await(pids[x], WNOHANG) : -1;
  case 'w': return await(-1, 0);
  case 'n': return await(-1, WNOHANG);
  case 'E': _exit(4 * m->number + x + 1);
  case 'J': return ids[x] ? (pthread_join(ids[x], 0), ids[x] = 0, '1') : -1;
  case 'K': return pids[x] ? (kill(pids[x], SIGKILL) ? 'E' : '1') : -1;
  case 'R': return '0' + atomic_load(&w->variable[x]) % 4;
  case 'S': return atomic_fetch_add(&w->variable[x], 1), '1';
  case 'P': return sem_post(&w->semaphore[x]), '1';
  case 'V': return sem_trywait(&w->semaphore[x]) ? '0' : '1';
  case 'Y': return sem_wait(&w->semaphore[x]) ? failed('0') : '1';
  case 'L': return m->held[x] ? -1 : lock(m, x, pthread_mutex_lock(&w->mutex[x]));
  case 'T': return m->held[x] ? -1 : lock(m, x, pthread_mutex_trylock(&w->mutex[x]));
  case 'U': return m->held[x] ? (m->held[x] = 0, pthread_mutex_unlock(&w->mutex[x]), '1') : -1;
  case 'k': return m->held[x] && !x ? (pthread_mutex_consistent(&w->mutex[x]) ? '0' : '1') : -1;
  case 'Q': return mq_send(queue[x], &byte, 1, 0) ? failed('0') : '1';
  case 'G': return mq_receive(queue[x], &byte, 1, 0) < 0 ? failed('0') : byte;
  case 'I': return write(ends[x][1], &byte, 1) == 1 ? '1' : failed(errno == EPIPE ? 'P' : 'X');
  case 'O': {
    ssize_t n = read(ends[x][0], &byte, 1);
    return n < 0 ? failed('X') : n ? byte : '0';
  }
  case 'c': return close(ends[x][1]) ? 'X' : '1';
  case 'C': return close(ends[x][0]) ? 'X' : '1';
  case 'd': return operate(x, -1, 0);
  case 'D': return operate(x, -1, IPC_NOWAIT);
  case 'u': return operate(x, 1, 0);
  case 'z': return operate(x, 0, 0);
  case 'i': return operate(x, -1, SEM_UNDO);
  case 'j': return operate(x, 1, SEM_UNDO);
  case 'm': {
    struct { long type; char byte; } sent = {x + 1, byte};
    return msgsnd(messages, &sent, 1, 0) ? '0' : '1';
  }
  case 'g': return message(x + 1, 0);
  case 'h': return message(0, 0);
  case 'y': return message(x + 1, IPC_NOWAIT);
  case 'M': return pids[x] ? (kill(pids[x], SIGUSR1) ? 'E' : '1') : -1;
  case 'H': return ids[x] ? (pthread_kill(ids[x], SIGUSR1), '1') : -1;
  case 'x': return raise(SIGUSR1), '1';
  case 'B': return m->blocks ? -1 : (m->blocks = 1, block(SIG_BLOCK), '1');
  case 'b': return m->blocks ? (m->blocks = 0, block(SIG_UNBLOCK), '1') : -1;
  case 's': return m->blocks ? await_signal() : -1;
  case 'p': return pause(), 'i';
  case 'l': return act(x);
  case 'v': return is_pending();
  default: abort();
  }
}

/* For persistent sets: what the member may use, and in any way. */
static void declare(const char *words) {
  struct weave_use uses[64];
  int n = 0;
  for (const char *at = words; *at && n < 60; at++) {
    int x = at[1] - '0';
    if (strchr("LTUk", *at)) uses[n++].object = WEAVE_AT(&w->mutex[x]);
    if (strchr("PVY", *at)) uses[n++].object = WEAVE_AT(&w->semaphore[x]);
    if (strchr("RS", *at)) uses[n++].object = WEAVE_AT(&w->variable[x]);
    if (strchr("dDuzij", *at)) uses[n++].object = WEAVE_SYSV(set, x);
  }
  for (int i = 0; i < n; i++) uses[i].how = WEAVE_ANY;
  weave_declare(n, uses);
}

/* A process that may be killed at any moment reports each value by itself. */
static void tell(struct member *m, int value) {
  char *at = &w->got[m->number][m->said++];
  if (orphans) __atomic_store_n(at, (char)value, __ATOMIC_SEQ_CST);
  else *at = (char)value;
}

static void run(struct member *m) {
  if (declares && m->number) declare(m->words);
  int skip = 0;
  for (const char *at = m->words; *at;) {
    char what = *at++;
    int x = *at++ - '0', asks = *at == '?';
    at += asks;
    if (skip) {
      skip = 0;
      continue;
    }
    int value = execute(m, what, x);
    if (value < 0) continue;
    tell(m, value);
    skip = asks && value == '0';
  }
}

static void prepare(void) {
  pthread_mutexattr_t mutex;
  pthread_mutexattr_init(&mutex), pthread_mutexattr_setpshared(&mutex, 1);
  pthread_mutex_init(&w->mutex[1], &mutex);
  pthread_mutexattr_setrobust(&mutex, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&w->mutex[0], &mutex);
  for (int i = 0; i < 2; i++) {
    sem_init(&w->semaphore[i], 1, (unsigned)i);
    struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = 1};
    char name[] = "/queue0";
    name[6] = (char)('0' + i);
    queue[i] = mq_open(name, O_RDWR | O_CREAT, 0600, &attributes);
    if (!declares && pipe(ends[i])) abort(); /* The end of a process closes them, and that cannot be declared. */
  }
  set = semget(IPC_PRIVATE, 2, 0600);
  messages = msgget(IPC_PRIVATE, 0600);
  semctl(set, 1, SETVAL, 1);
}

/* The kinds of members; `o` if processes may leave without waiting, `d` if members declare what
 * they use, `s` if SIGUSR1 is handled, `c` if statements on signals are about SIGCHLD, `R` if
 * what handlers interrupt is restarted; then the words of each. */
int main(int argc, char **argv) {
  int n = argc - 3;
  kinds = argv[1];
  orphans = !!strchr(argv[2], 'o');
  declares = !!strchr(argv[2], 'd');
  w = mmap(0, sizeof *w, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  prepare();
  if (orphans && pipe(alive)) abort();
  for (int i = 0; i < n; i++) {
    members[i] = (struct member){.words = argv[3 + i], .number = i};
    if (strchr(argv[3 + i], 'C')) signal(SIGPIPE, SIG_IGN);
  }
  restart = strchr(argv[2], 'R') ? SA_RESTART : 0;
  if (strchr(argv[2], 'c')) number = SIGCHLD;
  if (strchr(argv[2], 's')) act(0);
  run(&members[0]);
  char all[MOST * LONGEST] = "";
  if (orphans) close(alive[1]);
  while (orphans && read(alive[0], all, 1) < 0 && errno == EINTR) {} /* until no process is left */
  for (int i = 0; i < n; i++) strcat(strcat(all, i ? "," : ""), w->got[i]);
  extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
  __assert_fail(all, "", 0, "");
}
