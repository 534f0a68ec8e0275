// allowed: violated refused
class Main { public static void main(String[] args) { Box<String> b = new Box<>(); int x = b.t.length(); } }
class Box<T> { T t; }
