/* A timer that is set twice may fire after each setting.
 * expect: violated
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int fired;

static void handler(int signal) {
    (void)signal;
    fired++;
}

int main(void) {
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    struct itimerspec soon = {{0, 0}, {0, 1000}};
    signal(SIGUSR1, handler);
    timer_create(CLOCK_REALTIME, &event, &timer);
    timer_settime(timer, 0, &soon, 0);
    timer_settime(timer, 0, &soon, 0);
    assert(fired < 2);
    return 0;
}
