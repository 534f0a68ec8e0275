/* What goes through a pipe, and who makes a file first, orders accesses to memory: no race.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define LOCK P_tmpdir "/weave.lock"

static int ends[2], told, made;

static void *teller(void *x) {
    told = 7;
    assert(write(ends[1], "x", 1) == 1);
    return x;
}

static void *maker(void *x) {
    if (open(LOCK, O_CREAT | O_EXCL | O_WRONLY, 0600) >= 0) {
        made++;
        unlink(LOCK);
    }
    return x;
}

int main(void) {
    pthread_t t, u, v;
    char c;
    assert(!pipe(ends));
    pthread_create(&t, 0, teller, 0);
    pthread_create(&u, 0, maker, 0);
    pthread_create(&v, 0, maker, 0);
    assert(read(ends[0], &c, 1) == 1);
    assert(told == 7);
    pthread_join(t, 0);
    pthread_join(u, 0);
    pthread_join(v, 0);
    assert(made == 1 || made == 2);
    return 0;
}
