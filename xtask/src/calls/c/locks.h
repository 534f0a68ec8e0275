/* Locks, semaphores, conditions, barriers, atomics, waits on addresses. */
static __thread int reads_or_writes, robust_locks, spins;

static void init_mutex(pthread_mutex_t *mutex, int type, int robust) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, type);
  if (robust) pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
#ifdef SHARED
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
#endif
  pthread_mutex_init(mutex, &attributes);
}

static void init_rwlock(void) {
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
#ifdef SHARED
  pthread_rwlockattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
#endif
  pthread_rwlock_init(&S->rwlock, &attributes);
}

static void init_condition(void) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
#ifdef SHARED
  pthread_condattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
#endif
  pthread_cond_init(&S->condition, &attributes);
  init_mutex(&S->plain, PTHREAD_MUTEX_NORMAL, 0);
}

static void init_barrier(void) {
  pthread_barrierattr_t attributes;
  pthread_barrierattr_init(&attributes);
#ifdef SHARED
  pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
#endif
  pthread_barrier_init(&S->barrier, &attributes, 2);
}

static int robust_got(int error) {
  if (error == EOWNERDEAD) pthread_mutex_consistent(&S->robust);
  robust_locks += error == EOWNERDEAD || error == 0;
  return error;
}

static int robust_got_inconsistent(int error) {
  robust_locks += error == EOWNERDEAD || error == 0;
  return error;
}

static int robust_unlock(void) {
  if (!robust_locks) return 200;
  robust_locks--;
  return pthread_mutex_unlock(&S->robust);
}

static int got(int error) {
  reads_or_writes += error == 0;
  return error;
}

static int rw_unlock(void) {
  if (!reads_or_writes) return 200;
  reads_or_writes--;
  return pthread_rwlock_unlock(&S->rwlock);
}

static int spin_got(int error) {
  spins += error == 0;
  return error;
}

static int spin_unlock(void) {
  if (!spins) return 200;
  spins--;
  return pthread_spin_unlock(&S->spin);
}

static int value_of_counter(void) {
  int value;
  sem_getvalue(&S->counter, &value);
  return value;
}

static void unlock_plain(void *unused) {
  (void)unused;
  pthread_mutex_unlock(&S->plain);
}

static int cond_wait(void) {
  pthread_mutex_lock(&S->plain);
  pthread_cleanup_push(unlock_plain, 0);
  pthread_cond_wait(&S->condition, &S->plain);
  pthread_cleanup_pop(1);
  return 0;
}

static int cond_wait_soon(void) {
  int error = 0;
  pthread_mutex_lock(&S->plain);
  pthread_cleanup_push(unlock_plain, 0);
  error = pthread_cond_timedwait(&S->condition, &S->plain, soon());
  pthread_cleanup_pop(1);
  return error;
}

static int cond_take(void) {
  pthread_mutex_lock(&S->plain);
  pthread_cleanup_push(unlock_plain, 0);
  while (!S->flag) pthread_cond_wait(&S->condition, &S->plain);
  S->flag--;
  pthread_cleanup_pop(1);
  return 0;
}

static int cond_take_soon(void) {
  int error = 0;
  pthread_mutex_lock(&S->plain);
  pthread_cleanup_push(unlock_plain, 0);
  if (!S->flag) error = pthread_cond_timedwait(&S->condition, &S->plain, soon());
  error += 1000 * S->flag;
  if (S->flag) S->flag--;
  pthread_cleanup_pop(1);
  return error;
}

static int cond_give(void) {
  pthread_mutex_lock(&S->plain);
  S->flag++;
  pthread_mutex_unlock(&S->plain);
  return pthread_cond_signal(&S->condition);
}

static int barrier_wait(void) { return pthread_barrier_wait(&S->barrier) != 0; }

static int compare_and_set(void) {
  int expected = 1;
  return atomic_compare_exchange_strong(&S->number, &expected, 9) ? 50 : expected;
}

static int futex(int op, int value, struct timespec *time) {
  return V(syscall(SYS_futex, &S->word, op, value, time, 0, 0));
}

static int futex_wait_soon(void) {
  struct timespec time = {0, SOON};
  return futex(FUTEX_WAIT, 0, &time);
}

static int futex_give(void) {
  atomic_store(&S->word, 1);
  return futex(FUTEX_WAKE, 1, 0);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void run_once(void) { atomic_fetch_add(&S->ran, 1); }
