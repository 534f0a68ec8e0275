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
    "conditions.js": SCRIPT,
    "diagram-drawing.js": SCRIPT,
    "diagram-editor.js": SCRIPT,
    "diagram-new.js": SCRIPT,
    "diagram-parts.js": SCRIPT,
    "diagram-text.js": SCRIPT,
    "diagram.js": SCRIPT,
    "dom.js": SCRIPT,
    "files.js": SCRIPT,
    "graph.js": SCRIPT,
    "paint.js": SCRIPT,
    "proof.css": STYLE,
    "proof.js": SCRIPT,
    "reduction.js": SCRIPT,
    "run.js": SCRIPT,
    "source.js": SCRIPT,
    "state.js": SCRIPT,
    "store.js": SCRIPT,
    "verdict.js": SCRIPT,
    "wave.js": SCRIPT,
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
