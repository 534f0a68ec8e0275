//! Two locks taken in opposite orders: words of memory that never reach the kernel without a queue.
//! compile: rustc -O
//! expect: unknown
//! reason: complete for the operations seen: 1 run, no violation; the memory that 2
//! assumed: holds
use std::sync::{Arc, Mutex};
use std::thread;

fn main() {
    let left = Arc::new(Mutex::new(0));
    let right = Arc::new(Mutex::new(0));
    let (l, r) = (left.clone(), right.clone());
    let other = thread::spawn(move || {
        let _first = l.lock().unwrap();
        let _second = r.lock().unwrap();
    });
    {
        let _first = right.lock().unwrap();
        let _second = left.lock().unwrap();
    }
    other.join().unwrap();
}
