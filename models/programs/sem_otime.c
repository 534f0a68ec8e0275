/* When a set of semaphores was used last is not modelled.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <pthread.h>
#include <assert.h>
#include <sys/sem.h>
int i;
void*f(void*arg){ struct sembuf b={0,1,0}; semop(i,&b,1); return 0;}
int main(){ i=semget(5,1,IPC_CREAT|0600);
 pthread_t t; pthread_create(&t,0,f,0);
 struct semid_ds s; semctl(i,0,IPC_STAT,&s); assert(s.sem_otime==0);
 pthread_join(t,0); }
