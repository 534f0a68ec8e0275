// allowed: holds
class Main { public static void main(String[] args) { try { try { throw new RuntimeException(); } finally { throw new IllegalStateException(); } } catch (IllegalStateException e) { return; } } }
