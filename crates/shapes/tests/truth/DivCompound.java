// allowed: violated unknown
public class DivCompound { public static void main(String[] a) { int x = 4; int y = 0; x /= y; } }
