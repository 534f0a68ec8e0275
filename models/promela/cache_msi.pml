/* A snooping cache with three states per line (modified, shared, invalid) on an atomic bus, one line, N caches.
 * After J. Archibald and J.-L. Baer, "Cache coherence protocols: evaluation using a multiprocessor simulation model", 1986.
 * Why: the invariant "one writer or many readers" and "a shared copy is up to date", in one model of shared variables.
 * expect: holds
 * spin: 28 205
 */
#ifndef N
#define N 3
#endif
mtype = { invalid, shared, modified };
mtype line[N] = invalid;
bit copy[N];
bit memory;
bit latest;            /* ghost: the value last written by any processor */

inline flush_owner() {
  for (k : 0 .. N - 1) {
    if
    :: line[k] == modified -> memory = copy[k]; line[k] = shared
    :: else
    fi
  }
}

inline invalidate_others() {
  for (k : 0 .. N - 1) {
    if
    :: k != _pid -> line[k] = invalid; copy[k] = 0
    :: else
    fi
  }
}

active [N] proctype Processor() {
  byte k;
  do
  :: atomic {                                     /* read */
       if
       :: line[_pid] == invalid -> flush_owner(); copy[_pid] = memory; line[_pid] = shared
       :: else
       fi;
       k = 0;
       assert(copy[_pid] == latest)
     }
  :: atomic {                                     /* write: obtain ownership over the bus */
       line[_pid] != modified ->
       flush_owner();
       invalidate_others();
       copy[_pid] = memory;
       line[_pid] = modified;
       k = 0
     }
  :: atomic {                                     /* write: silent, we own the line */
       line[_pid] == modified ->
       copy[_pid] = 1 - copy[_pid];
       latest = copy[_pid]
     }
  :: atomic {                                     /* evict */
       line[_pid] != invalid ->
       if
       :: line[_pid] == modified -> memory = copy[_pid]
       :: else
       fi;
       line[_pid] = invalid;
       copy[_pid] = 0
     }
  od
}
