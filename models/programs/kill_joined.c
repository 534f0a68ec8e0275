/* One thread sends a signal to another one, which main may have joined before.
 * expect: violated
 * run: run
 */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static pthread_t a;

static void handler(int signal) { (void)signal; }

static void *worker(void *arg) { return arg; }

static void *sender(void *arg) {
    usleep(1);
    pthread_kill(a, SIGUSR1);
    return arg;
}

int main(void) {
    pthread_t t;
    signal(SIGUSR1, handler);
    pthread_create(&a, 0, worker, 0);
    pthread_create(&t, 0, sender, 0);
    pthread_join(a, 0);
    pthread_join(t, 0);
    return 0;
}
