#include <pthread.h>
#include <stdio.h>

static void *greet(void *number) {
    printf("worker %d\n", *(int *)number);
    return 0;
}

int main(void) {
    pthread_t workers[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&workers[i], 0, greet, &i);
    pthread_join(workers[0], 0);
    pthread_join(workers[1], 0);
    return 0;
}
