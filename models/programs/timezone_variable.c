/* A variable of the library that tzset writes is not modelled.
 * expect: unknown
 * reason: complete for the operations seen
 * run: run
 */
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
#include <time.h>
void*f(void*p){ tzset(); return 0; }
int main(){ setenv("TZ","XXX-5",1); pthread_t t; pthread_create(&t,0,f,0); assert(timezone==0); pthread_join(t,0); }
