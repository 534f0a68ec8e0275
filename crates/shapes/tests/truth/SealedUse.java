// allowed: violated
sealed interface I permits A { } final class A implements I { }
class Main { public static void main(String[] args) { I i = new A(); assert i == null; } }
