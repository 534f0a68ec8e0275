/* One thread cancels another one, which main may have joined before: then its handle names nothing.
 * expect: violated
 * run: run
 */
#include <pthread.h>

static pthread_t a;

static void *worker(void *arg) { return arg; }

static void *canceller(void *arg) {
    pthread_cancel(a);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&t, 0, canceller, 0);
    pthread_join(a, 0);
    pthread_join(t, 0);
    return 0;
}
