// allowed: violated refused
class Main { public static void main(String[] args) { switch (args.length) { case 0: assert false; default: } } }
