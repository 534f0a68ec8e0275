// allowed: violated
class B { B() { m(); } void m() { } }
class E extends B { final boolean k = true; final Object o = new Object(); void m() { assert !k; } }
class Main { public static void main(String[] a) throws Exception { new E(); } }
