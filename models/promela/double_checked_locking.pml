/* Double-checked locking whose compiler publishes the pointer before the object is initialised.
 * D. Schmidt and T. Harrison, 1996; broken: D. Bacon and others, "The double-checked locking is broken declaration", 2000.
 * Why: weak memory by hand: the two writes of the constructor may happen in either order.
 * expect: violated
 * expect assertion: violated
 * spin: 56 91
 */
#ifndef N
#define N 2
#endif
bool lock, published, initialised;

active [N] proctype Thread() {
  if
  :: !published ->
     atomic { !lock -> lock = true };
     if
     :: !published ->
        if
        :: initialised = true; published = true
        :: published = true; initialised = true
        fi
     :: else
     fi;
     lock = false
  :: else
  fi;
  assert(initialised)
}
