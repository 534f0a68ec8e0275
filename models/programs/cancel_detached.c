/* A detached thread is cancelled when it may have ended: then its handle names nothing.
 * expect: violated
 * run: run
 */
#include <pthread.h>

static void *worker(void *arg) { return arg; }

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, worker, 0);
    pthread_detach(a);
    pthread_cancel(a);
    return 0;
}
