// allowed: violated refused
class Main { public static void main(java.lang.String[] args) { assert new String() == new String(); } }
class String { }
