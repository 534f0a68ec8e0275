#include <pthread.h>
#include <assert.h>

int counter = 0;

static void *work(void *unused) {
    counter++;
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, work, 0);
    pthread_create(&second, 0, work, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(counter == 2);
    return 0;
}
