// allowed: violated refused
import static java.lang.Math.max;
class Main { public static void main(String[] args) { int k = max(1, 2); assert k == 1; } }
