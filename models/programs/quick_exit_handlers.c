/* Handlers of quick_exit run in the opposite order: if `a` was set first, `b` runs first and aborts.
 * expect: violated
 * run: run
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
int k; void a(void){ k=1; } void b(void){ if(k) _exit(0); abort(); }
void*f(void*p){ at_quick_exit(a); return 0; }
int main(){ pthread_t t; pthread_create(&t,0,f,0); at_quick_exit(b); pthread_join(t,0); quick_exit(0); }
