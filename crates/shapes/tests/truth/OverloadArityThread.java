// allowed: violated refused
class Main { static boolean v; public static void main(String[] args) throws Exception { T t = new T(); t.start(); t.join(5); assert v; } }
class T extends Thread { void join(Object o) { Main.v = true; } }
