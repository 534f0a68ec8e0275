// allowed: holds
class Main { public static void main(String[] a) { new E(); } }
class B { B() { m(); } void m() { } }
class E extends B { final boolean k = true; final boolean j = this.k; void m() { assert k; assert !j; } }
