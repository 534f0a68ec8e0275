/* The lock of a stream that another thread may have closed.
 * expect: violated
 * run: run
 */
#include <pthread.h>
#include <stdio_ext.h>
FILE*o; volatile int s;
void*f(void*arg){ fclose(o); return 0;}
int main(){ o=fopen(P_tmpdir "/a","w+");
 pthread_t t; pthread_create(&t,0,f,0);
 flockfile(o); funlockfile(o);
 pthread_join(t,0); }
