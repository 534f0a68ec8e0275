/* Signals, to threads and processes, their handlers, waits for them, and what sends them. */
static void count_signal(int number) {
  int worth = number == SIGUSR1 ? 1 : number == SIGUSR2 ? 10 : number == SIGCHLD ? 100 : 1000;
  atomic_fetch_add(&S->handled, worth);
}

/* The order of handlers, nested ones too. */
static void note_signal(int number) {
  atomic_store(&S->trail, S->trail * 10 + (number == SIGUSR1 ? 1 : 2));
  if (number == SIGUSR2) raise(SIGUSR1);
  atomic_store(&S->trail, S->trail * 10 + (number == SIGUSR1 ? 3 : 4));
}

static void handle(int number, void (*handler)(int), int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  sigaction(number, &action, 0);
}

static sigset_t only(int number) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  return set;
}

static int mask(int how, int number) {
  sigset_t set = only(number);
  return pthread_sigmask(how, &set, 0);
}

static int pending(void) {
  sigset_t set;
  sigpending(&set);
  return sigismember(&set, SIGUSR1) + 2 * sigismember(&set, SIGUSR2);
}

/* Takes a signal if there is one. */
static int take(int number) {
  sigset_t set = only(number), before;
  struct timespec none = {0, 0};
  pthread_sigmask(SIG_BLOCK, &set, &before);
  int result = V(sigtimedwait(&set, 0, &none));
  pthread_sigmask(SIG_SETMASK, &before, 0);
  return result;
}

static int suspend(int open) {
  sigset_t set;
  pthread_sigmask(SIG_SETMASK, 0, &set);
  sigdelset(&set, open);
  return E(sigsuspend(&set));
}

/* Signals with values; they are blocked everywhere. */
static void block_real(void) {
  mask(SIG_BLOCK, SIGRTMIN);
  mask(SIG_BLOCK, SIGRTMIN + 1);
}

static int queue(int number, int value) {
  union sigval with = {.sival_int = value};
  return E(sigqueue(getpid(), SIGRTMIN + number, with));
}

static int queue_to(pthread_t thread, int number, int value) {
  union sigval with = {.sival_int = value};
  return pthread_sigqueue(thread, SIGRTMIN + number, with);
}

static int take_value(struct timespec *time) {
  sigset_t set = only(SIGRTMIN);
  sigaddset(&set, SIGRTMIN + 1);
  siginfo_t info = {0};
  int number = V(time ? sigtimedwait(&set, &info, time) : sigwaitinfo(&set, &info));
  return number < 0 ? number : (number - SIGRTMIN + 1) * 100 + info.si_value.sival_int;
}

static int take_value_now(void) {
  struct timespec none = {0, 0};
  return take_value(&none);
}

static int take_value_soon(void) {
  struct timespec time = {0, SOON};
  return take_value(&time);
}

/* Timers. */
static timer_t timer;

static void create_timer(void) {
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
  timer_create(CLOCK_REALTIME, &event, &timer);
}

static int set_timer(long time) {
  struct itimerspec next = {{0, 0}, {0, time}}, before = {{0, 0}, {0, 0}};
  timer_settime(timer, 0, &next, &before);
  return before.it_value.tv_nsec != 0;
}

static int set_alarm(long time) {
  struct itimerval next = {{0, 0}, {0, time}}, before = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &next, &before);
  return before.it_value.tv_usec != 0;
}
