//! The page itself, as it is in `page/`, part of the binary.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

macro_rules! page {
    ($($name:literal: $kind:ident),* $(,)?) => {
        &[$(($name, $kind, include_str!(concat!("../page/", $name)))),*]
    };
}

const FILES: &[(&str, &str, &str)] = page! {
    "index.html": HTML,
    "studio.css": STYLE,
    "mark.svg": PICTURE,
    "app.js": SCRIPT,
    "ask.js": SCRIPT,
    "automaton.js": SCRIPT,
    "chart.js": SCRIPT,
    "chartpicture.js": SCRIPT,
    "conditions.js": SCRIPT,
    "curves.js": SCRIPT,
    "diagram-drawing.js": SCRIPT,
    "diagram-editor.js": SCRIPT,
    "diagram-new.js": SCRIPT,
    "diagram-parts.js": SCRIPT,
    "diagram-text.js": SCRIPT,
    "diagram.js": SCRIPT,
    "dom.js": SCRIPT,
    "files.js": SCRIPT,
    "graph.js": SCRIPT,
    "heap.js": SCRIPT,
    "paint.js": SCRIPT,
    "proof.css": STYLE,
    "proof.js": SCRIPT,
    "reduction.js": SCRIPT,
    "run.js": SCRIPT,
    "save.js": SCRIPT,
    "source.js": SCRIPT,
    "state.js": SCRIPT,
    "store.js": SCRIPT,
    "tour.js": SCRIPT,
    "verdict.js": SCRIPT,
    "wave.js": SCRIPT,
    "why.js": SCRIPT,
};

pub(crate) fn answer(name: &str) -> Response {
    match FILES.iter().find(|(known, ..)| *known == name) {
        Some((_, kind, text)) => ([(header::CONTENT_TYPE, *kind)], *text).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::collections::BTreeSet;
    use std::io::Write;

    /// What a browser asks for before the page can be used: the page, and what its scripts import
    /// at once, not only on demand.
    fn first_load() -> BTreeSet<&'static str> {
        let mut wanted = BTreeSet::from(["index.html", "studio.css", "mark.svg", "app.js"]);
        let mut work = vec!["app.js"];
        while let Some(name) = work.pop() {
            let text = FILES.iter().find(|(known, ..)| *known == name).unwrap().2;
            let imports =
                text.lines().filter(|line| line.starts_with("import ") && !line.contains("import("));
            for (known, ..) in FILES.iter().filter(|(known, ..)| known.ends_with(".js")) {
                let imported = imports.clone().any(|line| line.contains(&format!("'./{known}'")));
                if imported && wanted.insert(known) {
                    work.push(known);
                }
            }
        }
        wanted
    }

    /// A page that is small is there at once, on a slow machine and through a tunnel, too.
    #[test]
    fn the_first_load_is_small() {
        let wanted = first_load();
        assert!(wanted.contains("run.js") && !wanted.contains("tour.js"), "{wanted:?}");
        let compressed = |text: &str| {
            let mut into = GzEncoder::new(Vec::new(), Compression::default());
            into.write_all(text.as_bytes()).unwrap();
            into.finish().unwrap().len()
        };
        let sizes =
            FILES.iter().filter(|(name, ..)| wanted.contains(name)).map(|(.., text)| compressed(text));
        let sum: usize = sizes.sum();
        assert!(sum < 60_000, "the first load is {sum} bytes");
    }

    /// Every file of the page is served, and none asks for anything from elsewhere.
    #[test]
    fn the_page_is_whole_and_asks_nobody_else() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/page");
        let names = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
        let mut on_disk: Vec<String> = names.filter(|name| !name.ends_with(".json")).collect();
        on_disk.sort();
        let mut served: Vec<&str> = FILES.iter().map(|(name, ..)| *name).collect();
        served.sort_unstable();
        assert_eq!(on_disk, served);
        for (name, _, text) in FILES {
            let foreign = text.replace("http://www.w3.org/", "");
            assert!(!foreign.contains("http:") && !foreign.contains("https:"), "{name}");
            assert!(!text.contains("innerHTML") && !text.contains(" style=\""), "{name}");
        }
    }
}
