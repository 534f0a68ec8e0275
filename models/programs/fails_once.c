/* Something passes from run to run, past all control, and lets one of them fail: it does not fail again, and nothing else is found.
 * expect: unknown
 * reason: nondeterminism: assertion was not seen again
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *runs;

__attribute__((constructor)) static void prepare(void) {
    runs = mmap(0, sizeof *runs, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
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
    assert(++*runs != 4);
}
