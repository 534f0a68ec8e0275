/* Once Q is in its atomic loop, x is 3 and stays so; no state of that run is stored.
 * expect r: unknown */
byte x;
active proctype P() { do :: d_step { x = 1 - x } od }
active proctype Q() { atomic { x == 1 -> do :: x = 3 od } }
ltl r { []<> (x == 0) }
