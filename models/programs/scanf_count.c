/* What %n of scanf writes is written.
 * expect: violated
 * run: run
 */
#include <pthread.h>
#include <stdio_ext.h>
int l;
void*f(void*arg){ int z; sscanf("12","%d%n",&z,&l); return 0;}
int main(){ ;
 pthread_t t; pthread_create(&t,0,f,0);
 l=0;
 pthread_join(t,0); }
