/* To move in a stream writes out what is in its buffer.
 * expect: violated
 * run: run
 */
#include <pthread.h>
#include <assert.h>
#include <stdio_ext.h>
#include <sys/stat.h>
FILE*o; int v;
void*f(void*arg){ fseek(o,0,SEEK_END); return 0;}
int main(){ o=fopen(P_tmpdir "/a","w+");fputc('a',o);
 pthread_t t; pthread_create(&t,0,f,0);
 struct stat s; stat(P_tmpdir "/a",&s); assert(s.st_size==0);
 pthread_join(t,0); }
