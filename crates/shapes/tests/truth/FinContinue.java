// allowed: holds unknown
public class FinContinue { static boolean once; public static void main(String[] x) { while (!once) { try { once = true; throw new RuntimeException(); } finally { continue; } } assert once; } }
