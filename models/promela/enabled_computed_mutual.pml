/* Each of two assignments computes whether the other is enabled: both always are.
   expect: holds */
byte x;
active proctype A() { if :: x = enabled(1) -> assert(x == 1) fi }
active proctype B() { if :: x = enabled(0) :: skip fi }
