/* Something passes from run to run, past all control, and lets one of them fail: it does not fail again, and nothing else is found.
 * expect: unknown
 * reason: nondeterminism: assertion was not seen again
 * run: run
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* All runs have the same standard output; the signal that would tell of it counts them. */
static int runs(void) {
    int before = fcntl(1, F_GETSIG);
    fcntl(1, F_SETSIG, before + 1);
    return before + 1;
}

static void *worker(void *x) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return x;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(runs() != 4);
}
