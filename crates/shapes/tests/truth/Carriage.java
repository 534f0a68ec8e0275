// allowed: violated refused
class Main { public static void main(String[] args) { //  assert false;
} }
