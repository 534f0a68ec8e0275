//! How far a session is, and what its client knows.

use super::checks::{CHECK, STOP};
use super::places::Encoding;
use serde_json::{Value, json};

/// How far a session is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Phase {
    #[default]
    Before,
    Open,
    /// The client has asked for the end.
    Over,
}

#[derive(Default)]
pub(crate) struct Session {
    pub(crate) phase: Phase,
    pub(crate) encoding: Encoding,
    /// It shows an outline as a tree.
    pub(crate) trees: bool,
    /// It asks for lenses again when it is asked to.
    pub(crate) refreshes: bool,
}

impl Session {
    /// Begins, and says what there is.
    pub(crate) fn begin(&mut self, params: &Value) -> Value {
        let client = &params["capabilities"];
        let encodings = client["general"]["positionEncodings"].as_array();
        let utf8 = encodings.is_some_and(|all| all.iter().any(|name| name == Encoding::Utf8.name()));
        self.phase = Phase::Open;
        self.encoding = if utf8 { Encoding::Utf8 } else { Encoding::Utf16 };
        let outline = &client["textDocument"]["documentSymbol"];
        self.trees = outline["hierarchicalDocumentSymbolSupport"] == true;
        self.refreshes = client["workspace"]["codeLens"]["refreshSupport"] == true;
        json!({
            "capabilities": {
                "positionEncoding": self.encoding.name(),
                "textDocumentSync": {"openClose": true, "change": 2},
                "documentSymbolProvider": true,
                "hoverProvider": true,
                "definitionProvider": true,
                "referencesProvider": true,
                "renameProvider": {"prepareProvider": true},
                "completionProvider": {"triggerCharacters": [".", "@"]},
                "codeLensProvider": {},
                "executeCommandProvider": {"commands": [CHECK, STOP]},
            },
            "serverInfo": {"name": "weave", "version": env!("CARGO_PKG_VERSION")},
        })
    }
}
