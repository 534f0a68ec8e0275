// allowed: violated refused
class Main { public static void main(String[] args) { Box<Integer> b = new Box<>(); int x = b.t + 1; } }
class Box<T> { T t; }
