// allowed: violated refused
class Main { public static void main(String[] args) { new A(); } }
class A { A a = new A(); }
