/* A block is freed and given out anew at once; who still reads it races with that, although its history began anew.
 * expect: violated
 * reason: race
 * run: run
 */
#include <pthread.h>
#include <stdlib.h>

static int *block, *other;

static void *freer(void *x) {
    free(block);
    other = malloc(64);
    other[2] = 3;
    return x;
}

static void *reader(void *x) { return (char *)x + block[2]; }

int main(void) {
    pthread_t t, u;
    block = calloc(16, sizeof *block);
    pthread_create(&t, 0, freer, 0);
    pthread_create(&u, 0, reader, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
}
