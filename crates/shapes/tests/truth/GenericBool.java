// allowed: violated refused
class Main { public static void main(String[] args) { Box<Boolean> b = new Box<>(); boolean x = b.get(); } }
class Box<T> { T t; T get() { return t; } }
