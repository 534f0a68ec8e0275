//! The diagrams of texts as they are written, with what an editor offers beside them.

use crate::failure::Failure;
use crate::model::read_text;
use source::{Diagnostic, SourceMap};
use spl::outline::outline;
use std::path::PathBuf;

pub use spl::outline::{Named, Outline, Part, PartKind};

/// What is written in files: nothing is proved.
#[derive(Clone, Debug)]
pub struct Outlined {
    /// The texts.
    pub map: SourceMap,
    /// Their diagrams, also where names in them are wrong.
    pub diagrams: Vec<Outline>,
    /// The properties by name and text; none if the texts are no program.
    pub properties: Vec<(String, String)>,
    /// What edges may be labelled with; none if the texts are no program.
    pub transitions: Vec<String>,
    /// What is wrong with the texts, and what is suspicious.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads files for their diagrams.
pub fn outlined(files: &[PathBuf]) -> Result<Outlined, Failure> {
    let (mut map, mut roots) = (SourceMap::new(), Vec::new());
    for file in files {
        roots.push(map.add(file.to_string_lossy().into_owned(), read_text(file)?));
    }
    let diagrams = roots.iter().flat_map(|root| outline(&map, *root).0).collect();
    let (fts, diagnostics) = spl::read(&map, &roots);
    let fts = fts.as_ref();
    let properties = fts.iter().flat_map(|fts| &fts.properties);
    let transitions = fts.iter().flat_map(|fts| &fts.transitions);
    Ok(Outlined {
        diagrams,
        properties: properties.map(|p| (p.name.clone(), p.text.clone())).collect(),
        transitions: transitions.map(|t| t.name.clone()).collect(),
        diagnostics,
        map,
    })
}
