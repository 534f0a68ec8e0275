//! What the addresses of a program mean to people: functions and lines of code, names of variables.

use addr2line::Loader;
use object::{Object, ObjectSegment, ObjectSymbol, SymbolKind};
use std::path::Path;

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The name, demangled; `?` if it is unknown.
    pub function: String,
    /// As the compiler recorded it.
    pub file: String,
    /// The line in that file.
    pub line: u32,
}

/// The symbols of a program that was loaded somewhere.
pub struct Symbols {
    loader: Option<Loader>,
    /// Variables: address, size, name; by address.
    variables: Vec<(u64, u64, String)>,
    base: u64,
    /// How long the program is in memory.
    length: u64,
}

impl Symbols {
    /// A program without symbols has none.
    pub fn new(program: &Path, base: u64) -> Symbols {
        let bytes = std::fs::read(program).unwrap_or_default();
        let (variables, length) = (variables(&bytes), length(&bytes));
        Symbols { loader: Loader::new(program).ok(), variables, base, length }
    }

    /// Whether an address lies in the program itself, not in a library.
    pub fn covers(&self, address: u64) -> bool {
        address.checked_sub(self.base).is_some_and(|at| at < self.length)
    }

    /// The line of a call that returns to `address`, if it is in the program.
    pub fn place(&self, address: u64) -> Option<Place> {
        self.places(address).into_iter().next()
    }

    /// The same, and the calls around it that the compiler has put in place.
    pub fn places(&self, address: u64) -> Vec<Place> {
        let mut places = Vec::new();
        let probe = address.checked_sub(self.base).and_then(|a| a.checked_sub(1));
        let frames = probe.and_then(|at| self.loader.as_ref()?.find_frames(at).ok());
        let Some(mut frames) = frames else { return places };
        while let Ok(Some(frame)) = frames.next() {
            let Some((file, line)) = frame.location.as_ref().and_then(|l| Some((l.file?, l.line?))) else {
                break;
            };
            let function = frame.function.as_ref().and_then(|f| f.demangle().ok().map(|n| n.into_owned()));
            let function = function.unwrap_or_else(|| "?".to_string());
            places.push(Place { function, file: file.to_string(), line });
        }
        places
    }

    /// The variable at an address, with an offset if it is not its beginning.
    pub fn variable(&self, address: u64) -> Option<String> {
        let at = address.checked_sub(self.base)?;
        let index = self.variables.partition_point(|(start, ..)| *start <= at).checked_sub(1)?;
        let (start, size, name) = &self.variables[index];
        let offset = at - start;
        match offset {
            0 => Some(name.clone()),
            _ if offset < *size => Some(format!("{name}+{offset}")),
            _ => None,
        }
    }
}

fn length(program: &[u8]) -> u64 {
    let Ok(file) = object::File::parse(program) else { return 0 };
    file.segments().map(|s| s.address() + s.size()).max().unwrap_or(0)
}

fn variables(program: &[u8]) -> Vec<(u64, u64, String)> {
    let Ok(file) = object::File::parse(program) else { return Vec::new() };
    let data = file.symbols().filter(|s| s.kind() == SymbolKind::Data && s.size() > 0);
    let mut all: Vec<_> =
        data.filter_map(|s| Some((s.address(), s.size(), s.name().ok()?.to_string()))).collect();
    all.sort();
    all
}
