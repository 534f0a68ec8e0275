/* The loop goes through an atomic sequence.
 * expect p0: violated */
byte c, e, a;
active proctype P0() { d_step { e = 127 }; do :: atomic { e = 0; a = 0 } od }
ltl p0 { [] (c != 0) }
