// allowed: violated
class A { static final int K = 2 + 1; static final int J = K; static boolean s = Main.set(); }
class Main { static boolean v; static boolean set() { v = true; return true; } public static void main(String[] a) throws Exception { int q = A.J; assert v; } }
