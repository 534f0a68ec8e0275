/* A handler of exit, set before others exist, needs no assumption.
 * expect: holds
 * run: run
 */
#include <pthread.h>
#include <stdlib.h>
#include <stdio.h>
void h(void){ puts("bye"); }
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int n;
void*f(void*p){ pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); return 0; }
int main(){ atexit(h); pthread_t t; pthread_create(&t,0,f,0);  pthread_join(t,0); return 0; }
