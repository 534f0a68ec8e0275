// allowed: violated refused
class Main { static class T extends Thread { } public static void main(String[] args) { Main.T t = new Main.T(); Object o = t; assert o == null; } }
