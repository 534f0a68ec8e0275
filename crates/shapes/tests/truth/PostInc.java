// allowed: holds unknown
public class PostInc { //@ range i 0..5
 public static void main(String[] x) { int i = 1; i = i++; assert i == 1; i = i++ + ++i; assert i == 4; } }
