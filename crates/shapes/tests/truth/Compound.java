// allowed: holds unknown
public class Compound { //@ range i 0..9
 public static void main(String[] x) { int i = 1; i += (i = 3); assert i == 4; } }
