/* A variable of the library that getenv reads is not modelled.
 * expect: unknown
 * reason: complete for the operations seen
 * run: run
 */
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
extern char**environ; char*none[]={0};
void*f(void*p){ environ=none; return 0; }
int main(){ setenv("A","1",1); pthread_t t; pthread_create(&t,0,f,0); assert(getenv("A")); pthread_join(t,0); }
