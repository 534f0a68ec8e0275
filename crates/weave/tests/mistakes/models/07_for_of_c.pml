int sum = 0;

active proctype Adder() {
    for (int i = 0; i < 5; i++) {
        sum = sum + i;
    }
    assert(sum == 10);
}
