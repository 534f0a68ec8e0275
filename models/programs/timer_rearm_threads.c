/* Two threads set one timer: it may fire after each setting.
 * expect: violated
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int fired;
static timer_t timer;

static void handler(int signal) {
    (void)signal;
    fired++;
}

static void *setter(void *arg) {
    struct itimerspec soon = {{0, 0}, {0, 1000}};
    timer_settime(timer, 0, &soon, 0);
    return arg;
}

int main(void) {
    pthread_t a, b;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    signal(SIGUSR1, handler);
    timer_create(CLOCK_REALTIME, &event, &timer);
    pthread_create(&a, 0, setter, 0);
    pthread_create(&b, 0, setter, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(fired < 2);
    return 0;
}
