/* A block is read while another thread frees it: to free is to write all of it.
 * expect: violated
 * reason: assertion
 * run: run --races list
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *block;

static void *reader(void *x) {
    assert(block[0] == 7);
    return x;
}

static void *freer(void *x) {
    free(block);
    return x;
}

int main(void) {
    pthread_t t, u;
    block = malloc(64);
    block[0] = 7;
    pthread_create(&t, 0, reader, 0);
    pthread_create(&u, 0, freer, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
}
