//! What the addresses of a program mean to people: functions and lines of code, names of variables.

use addr2line::Loader;
use object::{Object, ObjectSymbol, SymbolKind};
use std::path::Path;

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub function: String,
    pub file: String,
    pub line: u32,
}

/// The symbols of a program that was loaded somewhere.
pub struct Symbols {
    loader: Option<Loader>,
    /// Variables: address, size, name; by address.
    variables: Vec<(u64, u64, String)>,
    base: u64,
}

impl Symbols {
    /// A program without symbols has none.
    pub fn new(program: &Path, base: u64) -> Symbols {
        let bytes = std::fs::read(program).unwrap_or_default();
        Symbols { loader: Loader::new(program).ok(), variables: variables(&bytes), base }
    }

    /// The line of a call that returns to `address`, if it is in the program.
    pub fn place(&self, address: u64) -> Option<Place> {
        let probe = address.checked_sub(self.base)?.checked_sub(1)?;
        let mut frames = self.loader.as_ref()?.find_frames(probe).ok()?;
        let frame = frames.next().ok()??;
        let location = frame.location.as_ref()?;
        let function = frame.function.as_ref().and_then(|f| f.demangle().ok().map(|n| n.into_owned()));
        Some(Place {
            function: function.unwrap_or_else(|| "?".to_string()),
            file: location.file?.to_string(),
            line: location.line?,
        })
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

fn variables(program: &[u8]) -> Vec<(u64, u64, String)> {
    let Ok(file) = object::File::parse(program) else { return Vec::new() };
    let data = file.symbols().filter(|s| s.kind() == SymbolKind::Data && s.size() > 0);
    let mut all: Vec<_> =
        data.filter_map(|s| Some((s.address(), s.size(), s.name().ok()?.to_string()))).collect();
    all.sort();
    all
}
