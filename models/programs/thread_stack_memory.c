/* A thread runs on memory of the program: not modelled.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <pthread.h>
#include <stdlib.h>
char*st; void*h(void*a){ volatile char b[100]; b[0]=1; return 0;}
void*f(void*arg){ pthread_attr_t a; pthread_attr_init(&a); pthread_attr_setstack(&a,st,65536); pthread_t q; pthread_create(&q,&a,h,0); pthread_join(q,0); return 0;}
int main(){ st=aligned_alloc(4096,65536);
 pthread_t t; pthread_create(&t,0,f,0);
 st[65000]=1;
 pthread_join(t,0); }
