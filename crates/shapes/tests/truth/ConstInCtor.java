// allowed: holds
class D { final boolean e = true; boolean b = c(); boolean c() { return e; } final boolean g; D() { g = e; } }
class E extends D { final boolean k = true; boolean l = true; boolean c() { assert !l; assert k; return false; } }
class Main { public static void main(String[] a) throws Exception { assert !new E().b; } }
