// allowed: violated refused
class Main { public static void main(String[] args) { A.main(new String[0]); } static void x() { } }
class A { public static void main(String[] args) { assert false; } }
