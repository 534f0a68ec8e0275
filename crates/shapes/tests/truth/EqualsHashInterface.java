// allowed: holds
class Main { static boolean v; public static void main(String[] args) { I i = new A(); i.equals(i); assert v; } }
interface I { } class A implements I { public boolean equals(Object o) { Main.v = true; return true; } }
