// allowed: holds unknown
public class B8 { static boolean f() { boolean r = false; for (;;) { try { try { throw new IllegalStateException(); } finally { r = true; } } catch (IllegalStateException e) { return r; } finally { r = false; } } } public static void main(String[] x) { boolean q = f(); assert q; } }
