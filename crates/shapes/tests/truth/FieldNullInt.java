// allowed: violated unknown
public class FieldNullInt { static class A { int s; } static A a; public static void main(String[] x) { a.s = 3; } }
