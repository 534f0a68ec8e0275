/* Two threads use a stream without its lock.
 * expect: violated
 * run: run
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <malloc.h>
FILE*o;
void*f(void*arg){ fputs_unlocked("a",o); return 0;}
int main(){ o=tmpfile();
 pthread_t t; pthread_create(&t,0,f,0);
 fwrite_unlocked("b",1,1,o);
 pthread_join(t,0); }
