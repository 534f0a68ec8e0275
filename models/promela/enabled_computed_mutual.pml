/* Each of two assignments computes whether the other process is enabled: none waits for the answer.
   expect: holds */
byte x;
active proctype A() { if :: x = enabled(1) :: skip fi }
active proctype B() { if :: x = enabled(0) :: skip fi; assert(x < 2) }
