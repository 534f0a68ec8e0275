// allowed: holds
class Main { static boolean v; static boolean set() { v = true; return true; } static S s; static S get() { assert !v; return s; } public static void main(String[] a) { get().p = v; assert !S.p; } }
class S { static boolean b = Main.set(); static boolean p; }
