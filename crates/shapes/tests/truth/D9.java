// allowed: violated unknown
public class D9 { static Integer a, b; public static void main(String[] x) { boolean q = a < b; } }
