/* Texts of wide characters are not followed.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <pthread.h>
#include <printf.h>
#include <stdio_ext.h>
wchar_t l[4]=L"abc";
void*f(void*arg){ printf("%ls",l); return 0;}
int main(){ ;
 pthread_t t; pthread_create(&t,0,f,0);
 l[1]=0;
 pthread_join(t,0); }
