// allowed: violated unknown
public class E3 { static Integer f() { return null; } public static void main(String[] x) { long k = x.length + f(); } }
