// allowed: violated refused
class AtomicBoolean { boolean v; boolean get() { return v; } void set(boolean b) { v = b; } }
class T extends Thread { public void run() { Main.l.set(true); } }
class Main { static final AtomicBoolean l = new AtomicBoolean(); public static void main(String[] a) throws Exception { new T().start(); l.set(false); } }
