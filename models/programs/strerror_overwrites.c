/* The text of an error takes the place of the last one.
 * expect: violated
 * run: run
 */
#include <pthread.h>
#include <sys/un.h>
char*e; volatile int s;
void*f(void*arg){ s=e[15]; return 0;}
int main(){ e=strerror(9999);
 pthread_t t; pthread_create(&t,0,f,0);
 strerror(9998);
 pthread_join(t,0); }
