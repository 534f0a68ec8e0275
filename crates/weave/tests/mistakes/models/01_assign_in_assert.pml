int count = 0;

active [2] proctype Worker() {
    count = count + 1;
    assert(count = 1);
}
