/* A function that is looked up by name in the C library is the one that is under control.
 * expect: violated
 * run: run
 * reason: deadlock
 */
#include <dlfcn.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int (*take)(pthread_mutex_t *), (*give)(pthread_mutex_t *);

static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
  take(first);
  take(second);
  give(second);
  give(first);
}
static void *backwards(void *unused) {
  both(&b, &a);
  return unused;
}

int main(void) {
  void *library = dlopen("libc.so.6", RTLD_NOW);
  *(void **)&take = dlsym(library, "pthread_mutex_lock");
  *(void **)&give = dlsym(library, "pthread_mutex_unlock");
  pthread_t other;
  pthread_create(&other, 0, backwards, 0);
  both(&a, &b);
  pthread_join(other, 0);
  return 0;
}
