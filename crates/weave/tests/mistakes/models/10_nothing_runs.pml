int count = 0;

proctype main() {
    count = 1;
    assert(count == 2);
}
