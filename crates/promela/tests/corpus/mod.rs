//! The models that the tests of the front end read: our own corpus, and a few texts with everything
//! in them.

use std::path::{Path, PathBuf};

use source::{Diagnostic, Look, SourceMap, render};

/// A text with its name.
pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) text: String,
}

const DENSE: &[&str] = &[
    "#define N 3\n#define MAX(a, b) ((a) > (b) -> (a) : (b))\n#if N > 2 && defined(N)\nmtype = { red, green };\n#else\n#error no\n#endif
mtype:s = { one, two } mtype:s choice = one; typedef T { byte a[2]; unsigned u : 3; chan c } T t[N]; hidden int h;
chan q[2] = [N] of { mtype, T2, int }; typedef T2 { byte f; bit g } chan r = [0] of { chan };
inline swap(a, b) { byte tmp; tmp = a; a = b; b = tmp } inline inc(x) { return x + 1 }
active [2] proctype P(byte a, b; chan c) priority 2 provided (h > 0) { byte x; xr c; L: x = MAX(a, b); swap(x, a); x = inc(x) }
init priority 3 { pid p; atomic { p = run P(1, 2, q[0]); run P(3, 4, q[1]) priority 4 } (_nr_pr == 1) }
never claim { T0: do :: P[1]@L && P[1]:x == 2 -> goto T0 :: np_ :: timeout :: else od }
ltl live { [] (h == 0 -> <> (h > 1)) && (!full(q[0]) U P@L) W X true }",
    "chan c = [2] of { byte, short }; byte x; int a[4] = { 1, 2 }; short s = -3;
active proctype A() { byte i; do :: c!1, 2 :: c!!x(3) :: c?x, s :: c??eval(x), _ :: c?<x, s> :: c?[1, s] -> break
:: else -> skip od
for (i : 0 .. 3) { a[i] = i
x++ } for (i in a) { x-- } select (i : 1 .. 4); end: { x = 1 } unless { x > 3 -> x = 0 }
d_step { if :: x > 0 -> x = x - 1 :: else -> x = ~x & 'a' | (x << 2) % 3 fi }
assert(x >= 0 && !(x != 1)); printf(\"%d %e\\n\", x, red); printm(red)
progress: accept_1: goto end; set_priority(_pid, get_priority(_pid)); enabled(_pid) || pc_value(0) == 1 }
mtype = { red } trace { do :: c!1, _ :: c?_, 2 od }",
];

/// The folder of our own models.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela")
}

fn add_folder(folder: &Path, samples: &mut Vec<Sample>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            add_folder(&path, samples);
        } else if path.extension().is_some_and(|extension| extension == "pml") {
            let text = std::fs::read_to_string(&path).unwrap();
            samples.push(Sample { name: path.display().to_string(), text });
        }
    }
}

/// Our own models.
pub(crate) fn models() -> Vec<Sample> {
    let mut samples = Vec::new();
    add_folder(&folder(), &mut samples);
    samples
}

/// Our own models and the dense texts.
pub(crate) fn samples() -> Vec<Sample> {
    let dense = DENSE.iter().enumerate();
    let dense = dense.map(|(n, text)| Sample { name: format!("dense {n}"), text: text.to_string() });
    dense.chain(models()).collect()
}

/// Files on disk, for includes.
pub(crate) struct Disk;

impl promela::Files for Disk {
    fn read(&self, path: &str) -> Result<String, promela::Unreadable> {
        std::fs::read_to_string(path).map_err(|error| promela::Unreadable(error.to_string()))
    }
}

/// Reads and checks a text and renders all that is said about it.
pub(crate) fn diagnose(name: &str, text: &str) -> (SourceMap, Vec<Diagnostic>) {
    let mut map = SourceMap::new();
    let root = map.add(name, text);
    let (program, mut diagnostics) = promela::parse(&mut map, root, &Disk, &[]);
    diagnostics.extend(promela::check::check(&program).1);
    for diagnostic in &diagnostics {
        assert!(render(&map, diagnostic, Look::Plain).contains(diagnostic.code));
        assert!(promela::codes::CODES.find(diagnostic.code).is_some());
    }
    (map, diagnostics)
}
