/* Threads and processes: cancels, joins, keys, children. */
static pthread_key_t key;

static void destroyed(void *unused) {
  (void)unused;
  atomic_fetch_add(&S->destroyed, 1);
}

static int cancel_state(int state) {
  int before = -1;
  pthread_setcancelstate(state, &before);
  return before;
}

static int test_cancel(void) {
  pthread_testcancel();
  return 1;
}

/* A task that another one joined is not joined again. */
static int join_now(int task) {
  void *value = 0;
  if (S->taken[task]) return 200;
  int error = pthread_tryjoin_np(S->thread[task], &value);
  S->taken[task] = error == 0;
  return error ? error : 300 + (int)(long)value;
}

static int join_soon(int task) {
  void *value = 0;
  if (S->taken[task]) return 200;
  int error = pthread_timedjoin_np(S->thread[task], &value, soon());
  S->taken[task] = error == 0;
  return error ? error : 300 + (int)(long)value;
}

/* Children of a task, one at a time. */
static __thread pid_t child;

static int begin_child(int code, int posts) {
  if (child) return 200;
  child = fork();
  if (child) return E(child);
  if (posts) sem_post(&S->counter);
  _exit(code);
}

static int begin_sleeper(void) {
  if (child) return 200;
  child = fork();
  if (child) return E(child);
  signal(SIGUSR1, SIG_DFL);
  wait_for(&S->counter);
  _exit(4);
}

static int status_of(int options) {
  int status = 0;
  if (!child) return 200;
  int result = V(waitpid(child, &status, options));
  if (result > 0 && !WIFSTOPPED(status) && !WIFCONTINUED(status)) child = 0;
  return result > 0 ? status : result;
}

static int any_status(int options) {
  int status = 0;
  int result = V(waitpid(-1, &status, options));
  if (result > 0 && result == child) child = 0;
  return result > 0 ? status : result;
}

static int kill_child(int number) { return child > 0 ? E(kill(child, number)) : 200; }

static void reap(void) {
  while (wait(0) > 0 || errno == EINTR) continue;
}

/* The begin of a task that is a process. */
static void begin_process(int task, void *(*calls)(void *)) {
  pid_t process = fork();
  if (!process) calls(0), _exit(0);
  S->process[task] = process;
}

static int detach(int task) {
  if (S->taken[task]) return 200;
  S->taken[task] = 1;
  return pthread_detach(S->thread[task]);
}

/* Whether the child has ended, which leaves it there. */
static int look_at_child(void) {
  siginfo_t info = {0};
  if (child <= 0) return 200;
  int result = E(waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT));
  return result ? result : info.si_pid ? 10 + info.si_status : 0;
}
