// allowed: violated unknown
public class D8 { static Character c; public static void main(String[] x) { char d = c; } }
