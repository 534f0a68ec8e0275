//! Any bytes through Promela's front end: preprocess, parse, check, render, print and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use promela::NoFiles;
use source::{Diagnostic, Look, SourceMap, render};

fuzz_target!(|data: &[u8]| {
    let mut map = SourceMap::new();
    let root = map.add("fuzzed", String::from_utf8_lossy(data));
    let (program, mut diagnostics) = promela::parse(&mut map, root, &NoFiles, &[]);
    let is_good = !diagnostics.iter().any(Diagnostic::is_error);
    diagnostics.extend(promela::check::check(&program).1);
    for diagnostic in &diagnostics {
        render(&map, diagnostic, Look::Plain);
    }
    if is_good {
        let text = promela::print::program(&program);
        let again = map.add("printed", text.clone());
        let (program, _) = promela::parse(&mut map, again, &NoFiles, &[]);
        assert_eq!(promela::print::program(&program), text);
    }
});
