/* What a statement computes does not decide whether it is enabled: an assignment always is.
   expect: holds */
byte x;
active proctype A() { x = enabled(0); assert(x == 1) }
