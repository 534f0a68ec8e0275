#include <pthread.h>

int counter = 0

static void *work(void *unused) {
    counter++;
    return unused;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, 0, work, 0);
    pthread_join(worker, 0);
    return 0;
}
