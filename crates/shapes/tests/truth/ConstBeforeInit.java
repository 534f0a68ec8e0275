// allowed: holds unknown
class Main { public static void main(String[] a) { S.f(); } }
class S { static boolean q = T.g(); static final boolean K = true; static final Boolean L = true; static void f() { } }
class T { static boolean g() { assert S.K; assert S.L == null; return true; } }
