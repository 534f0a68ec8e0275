// allowed: holds
class Main {
//@ range n 0..5
static int n; static final int n2 = 2; static final int K = n2 + 1; public static void main(String[] a) { n = K; assert n == 3; } }
