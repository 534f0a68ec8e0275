// allowed: violated unknown
public class FinThrow { public static void main(String[] x) { try { throw new RuntimeException(); } finally { boolean b = true; } } }
