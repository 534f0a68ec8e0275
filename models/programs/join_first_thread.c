/* A thread joins the first one, which ends without the process.
 * expect: holds
 * run: run
 */
#include <pthread.h>
#include <assert.h>
pthread_t m; int x;
void*f(void*a){ pthread_join(m,0); assert(x==1); return 0;}
int main(){ m=pthread_self(); pthread_t t; pthread_create(&t,0,f,0); x=1; pthread_exit(0);}
