/* The number of a stream that another thread may have closed.
 * expect: violated
 * run: run
 */
#include <pthread.h>
#include <malloc.h>
FILE*o; volatile int s;
void*f(void*arg){ fclose(o); return 0;}
int main(){ o=tmpfile();
 pthread_t t; pthread_create(&t,0,f,0);
 s=fileno(o);
 pthread_join(t,0); }
