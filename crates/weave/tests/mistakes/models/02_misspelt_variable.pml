int count = 0;

proctype Count(int by) {
    count = count + by;
}

init {
    run Count(1);
    cuont = cuont + 1;
}
