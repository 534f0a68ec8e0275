// allowed: violated unknown
public class E5 { static Boolean b; public static void main(String[] x) { if (b) { } } }
