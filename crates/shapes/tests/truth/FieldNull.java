// allowed: violated unknown
public class FieldNull { static class A { String s; } static A a; public static void main(String[] x) { a.s = "x"; } }
