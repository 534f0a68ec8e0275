// allowed: violated refused
class Main { public static void main(String[] args) { Box<Integer> b = new Box<>(); int x = b.get(); } }
class Box<T> { T t; T get() { return t; } }
