/* An entry of a folder may be overwritten by the next readdir.
 * expect: violated
 * run: run
 */
#include <pthread.h>
#include <dirent.h>
DIR*d; struct dirent*e; volatile int s;
void*f(void*arg){ readdir(d); return 0;}
int main(){ d=opendir("/"); e=readdir(d);
 pthread_t t; pthread_create(&t,0,f,0);
 s=e->d_name[0];
 pthread_join(t,0); }
