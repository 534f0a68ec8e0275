/* What fdopendir does is not modelled.
 * expect: unknown
 * reason: complete for the operations seen
 * run: run
 */
#include <pthread.h>
#include <assert.h>
#include <unistd.h>
#include <dirent.h>
#include <sys/file.h>
int d;
void*f(void*arg){ close(d); return 0;}
int main(){ d=open("/",O_RDONLY);
 pthread_t t; pthread_create(&t,0,f,0);
 assert(fdopendir(d));
 pthread_join(t,0); }
