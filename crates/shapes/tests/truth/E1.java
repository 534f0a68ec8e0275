// allowed: violated unknown
public class E1 { static Integer a; public static void main(String[] x) { a++; } }
