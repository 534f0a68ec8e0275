chan line = [2] of byte;

active proctype Sender() {
    line ! 1;
}

active proctype Receiver() {
    byte got;
    line ? got;
    assert(got == 1);
}
