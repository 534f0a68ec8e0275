// allowed: holds unknown
public class A4 { //@ range d 0..2
 static int d; public static void main(String[] x) { d = 2; System.out.println("q " + 10 / d + " " + 10 % d); } }
