//! The program as C: objects, one function for each thread, and the outcome as the text of a
//! failing assertion.
//!
//! With an argument the program does not tell its outcome: then only races and deadlocks are to be
//! found.

use super::statement::Text;
use super::{LockKind, Object, Program, Shape, Storage};
use std::fmt::{self, Display, Formatter, Write};

const HEAD: &str = "#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

union parts { uint32_t w; uint16_t h[2]; uint8_t b[4]; };
struct record { uint8_t x; uint16_t y; uint32_t z; };
struct bits { uint8_t f : 3; uint8_t g : 5; };
";

impl Display for Program {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(HEAD)?;
        self.declarations(out)?;
        let mut text = Text { program: self, out: String::new(), depth: 1 };
        for thread in (1..self.threads.len()).rev() {
            writeln!(text.out, "static void *t{thread}(void *p) {{")?;
            text.thread(thread);
            writeln!(text.out, "    return p;\n}}\n")?;
        }
        out.write_str(&text.out)?;
        self.outcome(out)?;
        self.main(out)
    }
}

/// `TYPE NAME…` of an object, and the type alone.
pub(super) fn declared(shape: Shape, name: &str) -> (String, String) {
    let (base, dimension) = match shape {
        Shape::Scalar(size) => (number(size), String::new()),
        Shape::Atomic(size) => (format!("_Atomic {}", number(size)), String::new()),
        Shape::Array(size, length) => (number(size), format!("[{length}]")),
        Shape::Union => ("union parts".to_owned(), String::new()),
        Shape::Record => ("struct record".to_owned(), String::new()),
        Shape::Bits => ("struct bits".to_owned(), String::new()),
    };
    (format!("{base} {name}{dimension}"), base)
}

pub(super) fn number(size: u8) -> String {
    format!("uint{}_t", 8 * size)
}

fn lock_type(kind: LockKind) -> &'static str {
    match kind {
        LockKind::Spin => "pthread_spinlock_t",
        LockKind::ReadWrite => "pthread_rwlock_t",
        _ => "pthread_mutex_t",
    }
}

impl Program {
    fn declarations(&self, out: &mut Formatter<'_>) -> fmt::Result {
        for (at, object) in self.objects.iter().enumerate() {
            // An object elsewhere is reached through a pointer that never changes.
            let name = if object.storage == Storage::Global { format!("x{at}") } else { format!("(*x{at})") };
            writeln!(out, "static {};", declared(object.shape, &name).0)?;
        }
        (0..self.cells).try_for_each(|cell| writeln!(out, "static uint32_t *cell{cell};"))?;
        for (at, kind) in self.locks.iter().enumerate() {
            writeln!(out, "static {} lock{at};", lock_type(*kind))?;
        }
        (0..self.semaphores.len()).try_for_each(|at| writeln!(out, "static sem_t sem{at};"))?;
        (0..self.conditions)
            .try_for_each(|at| writeln!(out, "static pthread_cond_t cond{at} = PTHREAD_COND_INITIALIZER;"))?;
        (0..self.barriers.len()).try_for_each(|at| writeln!(out, "static pthread_barrier_t bar{at};"))?;
        writeln!(out, "static pthread_t id[{}];", self.threads.len())?;
        writeln!(out, "static unsigned long out[{}][2];\n", self.threads.len())
    }

    fn outcome(&self, out: &mut Formatter<'_>) -> fmt::Result {
        writeln!(out, "static void tell(void) {{\n    char text[512];\n    int n = 0;")?;
        let awaited = self.awaited();
        for thread in (0..self.threads.len()).filter(|thread| awaited[*thread]) {
            let values = format!("out[{thread}][0], out[{thread}][1]");
            writeln!(out, "    n += sprintf(text + n, \"%lx,%lx;\", {values});")?;
        }
        if awaited.iter().all(|awaited| *awaited) {
            for (at, object) in self.objects.iter().enumerate() {
                let address =
                    if object.storage == Storage::Global { format!("&x{at}") } else { format!("x{at}") };
                let bytes = object.shape.bytes();
                writeln!(out, "    for (int k = 0; k < {bytes}; k++)")?;
                writeln!(out, "        n += sprintf(text + n, \"%02x\", ((uint8_t *){address})[k]);")?;
                writeln!(out, "    n += sprintf(text + n, \";\");")?;
            }
        }
        writeln!(out, "    __assert_fail(text, \"outcome\", 1, \"main\");\n}}\n")
    }

    fn main(&self, out: &mut Formatter<'_>) -> fmt::Result {
        writeln!(out, "int main(int argc, char **argv) {{\n    (void)argv;")?;
        for (at, object) in self.objects.iter().enumerate() {
            allocation(out, at, *object)?;
        }
        for (at, kind) in self.locks.iter().enumerate() {
            initialised(out, at, *kind)?;
        }
        for (at, count) in self.semaphores.iter().enumerate() {
            writeln!(out, "    sem_init(&sem{at}, 0, {count});")?;
        }
        for (at, count) in self.barriers.iter().enumerate() {
            writeln!(out, "    pthread_barrier_init(&bar{at}, 0, {count});")?;
        }
        let mut text = Text { program: self, out: String::new(), depth: 1 };
        text.thread(0);
        out.write_str(&text.out)?;
        writeln!(out, "    if (argc == 1) tell();\n    return 0;\n}}")
    }
}

fn allocation(out: &mut Formatter<'_>, at: usize, object: Object) -> fmt::Result {
    match object.storage {
        Storage::Global => Ok(()),
        Storage::Heap => writeln!(out, "    x{at} = calloc(1, sizeof *x{at});"),
        Storage::Stack => {
            writeln!(out, "    {};", declared(object.shape, &format!("own{at}")).0)?;
            writeln!(out, "    memset(&own{at}, 0, sizeof own{at});\n    x{at} = &own{at};")
        }
    }
}

fn initialised(out: &mut Formatter<'_>, at: usize, kind: LockKind) -> fmt::Result {
    let mutex = |out: &mut Formatter<'_>, name: &str| {
        writeln!(out, "    {{ pthread_mutexattr_t how; pthread_mutexattr_init(&how);")?;
        writeln!(out, "      pthread_mutexattr_settype(&how, PTHREAD_MUTEX_{name});")?;
        writeln!(out, "      pthread_mutex_init(&lock{at}, &how); }}")
    };
    match kind {
        LockKind::Mutex => writeln!(out, "    pthread_mutex_init(&lock{at}, 0);"),
        LockKind::Recursive => mutex(out, "RECURSIVE"),
        LockKind::ErrorCheck => mutex(out, "ERRORCHECK"),
        LockKind::Spin => writeln!(out, "    pthread_spin_init(&lock{at}, 0);"),
        LockKind::ReadWrite => writeln!(out, "    pthread_rwlock_init(&lock{at}, 0);"),
    }
}
