/* A mark of a stream is read without its lock: not modelled.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <pthread.h>
#include <malloc.h>
FILE*o; volatile int s;
void*f(void*arg){ fgetc(o); return 0;}
int main(){ o=tmpfile();
 pthread_t t; pthread_create(&t,0,f,0);
 s=feof_unlocked(o);
 pthread_join(t,0); }
