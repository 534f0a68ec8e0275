/* A plain read of what another thread writes by an atomic: they race, and the read may come behind.
 * expect: violated
 * reason: assertion
 * run: run --races list
 */
#include <assert.h>
#include <pthread.h>

#ifndef VOLATILE
#define VOLATILE volatile
#endif

static int a;
static int seen = -1;

static void *reader(void *x) {
    seen = *(VOLATILE int *)&a;
    return x;
}

static void *writer(void *x) {
    __atomic_store_n(&a, 5, __ATOMIC_SEQ_CST);
    return x;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, reader, 0);
    pthread_create(&u, 0, writer, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(seen != 5);
}
