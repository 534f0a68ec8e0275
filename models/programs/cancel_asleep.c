/* A thread is cancelled while it sleeps with a lock, which main then waits for.
 * expect: violated
 * run: run
 */
#include <pthread.h>
#include <unistd.h>

static pthread_t a;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    pthread_mutex_lock(&m);
    usleep(1);
    pthread_mutex_unlock(&m);
    return arg;
}

static void *canceller(void *arg) {
    pthread_cancel(a);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&t, 0, canceller, 0);
    pthread_join(t, 0);
    pthread_join(a, 0);
    pthread_mutex_lock(&m);
    return 0;
}
