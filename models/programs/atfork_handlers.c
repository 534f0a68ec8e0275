/* Handlers of fork run in the opposite order: if `a` was set first, `b` runs first and aborts.
 * expect: violated
 * run: run
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
int k; void a(void){ k=1; } void b(void){ if(!k) abort(); }
void*f(void*p){ pthread_atfork(a,0,0); return 0; }
int main(){ pthread_t t; pthread_create(&t,0,f,0); pthread_atfork(b,0,0); pthread_join(t,0); if(!fork()) _exit(0); _exit(0); }
