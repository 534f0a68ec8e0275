/* Whether the handler is set before the process exits depends on the order.
 * expect: violated
 * run: run
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
void h(void){ abort(); }
void*f(void*p){ atexit(h); _exit(0); return 0; }
int main(){ pthread_t t; pthread_create(&t,0,f,0); exit(0); }
