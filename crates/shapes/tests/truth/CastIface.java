// allowed: violated unknown
public class CastIface { interface I { } static class A { } public static void main(String[] x) { Object a = new A(); I i = (I) a; } }
