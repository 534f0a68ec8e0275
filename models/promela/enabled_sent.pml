/* A handshake that sends whether it is enabled itself.
   expect: violated */
chan c = [0] of { byte };
byte x;
active proctype A() { c!enabled(0) }
active proctype B() { c?x; assert(x == 0) }
