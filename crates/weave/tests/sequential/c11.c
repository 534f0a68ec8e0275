/* C11 threads. */
#define _GNU_SOURCE
#include "say.h"
#include <threads.h>
#include <time.h>

static tss_t key;
static void ends(void *v) { printf("tss %ld\n", (long)v); }
static int leaves(void *v) {
  tss_set(key, v);
  thrd_exit(7);
}
static once_flag flag = ONCE_FLAG_INIT;
static void only(void) { printf("once\n"); }
static mtx_t shared;
static int tries(void *unused) {
  (void)unused;
  SAY(mtx_trylock(&shared));
  return -3;
}

int main(int count_, char **words_) {
  begin(count_, words_);
  struct timespec past = {1, 0};
  mtx_t plain, timed, both;
  SAY(mtx_init(&plain, mtx_plain));
  SAY(mtx_init(&timed, mtx_timed));
  SAY(mtx_init(&both, mtx_plain | mtx_recursive));
  SAY(mtx_init(&both, 77));
  SAY(mtx_init(&both, mtx_plain | mtx_recursive));
  SAY(mtx_lock(&plain));
  SAY(mtx_trylock(&plain));
  SAY(mtx_unlock(&plain));
  SAY(mtx_lock(&timed));
  SAY(mtx_timedlock(&timed, &past));
  SAY(mtx_unlock(&timed));
  SAY(mtx_timedlock(&timed, &past));
  SAY(mtx_unlock(&timed));
  SAY(mtx_lock(&both));
  SAY(mtx_lock(&both));
  SAY(mtx_unlock(&both));
  SAY(mtx_unlock(&both));
  cnd_t c;
  SAY(cnd_init(&c));
  SAY(mtx_lock(&plain));
  SAY(cnd_timedwait(&c, &plain, &past));
  SAY(cnd_signal(&c));
  SAY(cnd_broadcast(&c));
  SAY(mtx_unlock(&plain));
  cnd_destroy(&c);
  mtx_destroy(&plain);
  SAY(tss_create(&key, ends));
  thrd_t t;
  int result;
  thrd_create(&t, leaves, (void *)4);
  SAY(thrd_join(t, &result));
  SAY(result);
  SAY(mtx_init(&shared, mtx_plain));
  SAY(mtx_lock(&shared));
  thrd_create(&t, tries, 0);
  SAY(thrd_join(t, &result));
  SAY(result);
  SAY(thrd_equal(thrd_current(), thrd_current()) != 0);
  call_once(&flag, only);
  call_once(&flag, only);
  struct timespec none = {0, 0};
  SAY(thrd_sleep(&none, 0));
  end();
  return 0;
}
