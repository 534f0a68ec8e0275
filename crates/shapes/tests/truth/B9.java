// allowed: violated unknown
public class B9 { static class A { void m() { throw new IllegalArgumentException(); } } public static void main(String[] x) { try { new A().m(); } catch (IllegalStateException e) { } finally { boolean z = true; } } }
