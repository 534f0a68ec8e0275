// allowed: holds unknown
public class FinBreak { public static void main(String[] x) { while (true) { try { throw new RuntimeException(); } finally { break; } } boolean b = true; assert b; } }
