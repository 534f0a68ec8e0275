//! Scripted sessions of an editor. Answers are read with the types of `lsp-types`, so they are what
//! the protocol says.

mod support;

use lsp_types as types;
use protocols::Ended;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use support::{Client, at};

const URI: &str = "file:///t/mutex.pml";
const MUTEX: &str = "\
#define busy (inside > 0)
byte inside;
mtype = { red, green };
typedef Lamp { mtype colour; byte level }
Lamp lamp;

active [2] proctype User(  ) {
  byte tries;
enter:
  do
  :: atomic { !busy -> inside++ }; lamp.colour = green; inside--
  :: tries < 2 -> tries++; goto enter
  od
}

ltl safe { [] (inside < 2) }
ltl live { <> (lamp.colour == green) }
";

fn typed<T: DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).unwrap_or_else(|why| panic!("{why}: {value}"))
}

fn session() -> Client {
    let mut client = Client::lsp();
    let begun: types::InitializeResult = typed(&client.initialize(json!(["utf-16"])));
    assert_eq!(begun.capabilities.position_encoding, Some(types::PositionEncodingKind::UTF16));
    assert!(client.open(URI, MUTEX).is_empty());
    client
}

/// Lines and columns of ranges.
fn starts(locations: &[types::Location]) -> Vec<(u32, u32)> {
    locations.iter().map(|l| (l.range.start.line, l.range.start.character)).collect()
}

#[test]
fn definitions_and_references() {
    let mut client = session();
    // `inside` in the atomic sequence.
    let found = client.ask("textDocument/definition", at(URI, 10, 25));
    let types::GotoDefinitionResponse::Array(found) = typed(&found) else { panic!("{found}") };
    assert_eq!(starts(&found), [(1, 5)]);
    let mut question = at(URI, 1, 7);
    question["context"] = json!({"includeDeclaration": true});
    let all: Vec<types::Location> = typed(&client.ask("textDocument/references", question.clone()));
    assert_eq!(starts(&all), [(0, 14), (1, 5), (10, 23), (10, 56), (15, 15)]);
    question["context"] = json!({"includeDeclaration": false});
    let uses: Vec<types::Location> = typed(&client.ask("textDocument/references", question));
    assert_eq!(uses.len(), 4);
    // A macro, a field, a label, a constant.
    for (line, character, place) in [(10, 16, (0, 8)), (10, 41, (3, 21)), (11, 32, (8, 0)), (10, 51, (2, 15))]
    {
        let found = client.ask("textDocument/definition", at(URI, line, character));
        let found: Vec<types::Location> = typed(&found);
        assert_eq!(starts(&found), [place], "{line}:{character}");
    }
    assert_eq!(client.ask("textDocument/definition", at(URI, 5, 0)), json!([]));
    client.end();
}

#[test]
fn hover_says_what_a_name_is() {
    let mut client = session();
    let hover: types::Hover = typed(&client.ask("textDocument/hover", at(URI, 11, 6)));
    let types::HoverContents::Markup(shown) = hover.contents else { panic!("no markup") };
    assert_eq!(shown.value, "```\nbyte tries;\n```\nvariable, line 8");
    assert_eq!(client.ask("textDocument/hover", at(URI, 9, 2)), Value::Null);
    client.end();
}

#[test]
fn the_outline_is_a_tree() {
    let mut client = session();
    let outline = client.ask("textDocument/documentSymbol", json!({"textDocument": {"uri": URI}}));
    let types::DocumentSymbolResponse::Nested(top) = typed(&outline) else { panic!("{outline}") };
    let names =
        |all: &[types::DocumentSymbol]| all.iter().map(|s| s.name.clone()).collect::<Vec<_>>().join(" ");
    assert_eq!(names(&top), "busy inside red green Lamp lamp User safe live");
    let below = |name: &str| names(top.iter().find(|s| s.name == name).unwrap().children.as_ref().unwrap());
    assert_eq!((below("User"), below("Lamp")), ("tries enter".to_string(), "colour level".to_string()));
    for symbol in &top {
        let (whole, name) = (symbol.range, symbol.selection_range);
        assert!(whole.start <= name.start && name.end <= whole.end, "{}", symbol.name);
    }
    client.end();
}

#[test]
fn a_rename_changes_every_place_or_none() {
    let mut client = session();
    let prepared: types::PrepareRenameResponse =
        typed(&client.ask("textDocument/prepareRename", at(URI, 15, 17)));
    assert!(
        matches!(prepared, types::PrepareRenameResponse::RangeWithPlaceholder { placeholder, .. } if placeholder == "inside")
    );
    let mut question = at(URI, 15, 17);
    question["newName"] = json!("within");
    let edit = client.ask("textDocument/rename", question.clone());
    let _: types::WorkspaceEdit = typed(&edit);
    assert_eq!(edit["changes"][URI].as_array().unwrap().len(), 5);
    for wrong in ["busy", "red", "do", "a b", ""] {
        question["newName"] = json!(wrong);
        let refused = client.answer("textDocument/rename", question.clone());
        assert_eq!(refused["error"]["code"], -32803, "{wrong}: {refused}");
    }
    client.end();
}

#[test]
fn completion_knows_what_can_stand_there() {
    let mut client = session();
    let mut labels = |line, character| {
        let found = client.ask("textDocument/completion", at(URI, line, character));
        let types::CompletionResponse::Array(items) = typed(&found) else { panic!("{found}") };
        items.into_iter().map(|item| item.label).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(labels(11, 5), "Lamp User busy green inside lamp live red safe tries");
    assert_eq!(labels(15, 20), "Lamp User busy green inside lamp live red safe");
    assert_eq!(labels(10, 40), "colour level");
    assert_eq!(labels(11, 32), "enter");
    client.end();
}

#[test]
fn lenses_stand_at_properties() {
    let mut client = session();
    let lenses = client.ask("textDocument/codeLens", json!({"textDocument": {"uri": URI}}));
    let lenses: Vec<types::CodeLens> = typed(&lenses);
    let shown = |lens: &types::CodeLens| {
        let command = lens.command.as_ref().unwrap();
        (lens.range.start.line, command.title.clone(), command.arguments.as_ref().unwrap().len())
    };
    let expected =
        [(0, "check all".to_string(), 1), (15, "check".to_string(), 2), (16, "check".to_string(), 2)];
    assert_eq!(lenses.iter().map(shown).collect::<Vec<_>>(), expected);
    client.end();
}

#[test]
fn diagnostics_follow_the_text() {
    let mut client = session();
    let change = |version: i64, changes: Value| json!({"textDocument": {"uri": URI, "version": version}, "contentChanges": changes});
    let range = |a: [u32; 4]| json!({"start": {"line": a[0], "character": a[1]}, "end": {"line": a[2], "character": a[3]}});
    // A name that is not there, and a mistake of the grammar elsewhere.
    let edits = json!([
        {"range": range([11, 5, 11, 10]), "text": "tires"}, {"range": range([3, 0, 3, 0]), "text": "byte = 3;\n"},
    ]);
    client.notify("textDocument/didChange", change(2, edits));
    let published = client.published(URI);
    let _: types::PublishDiagnosticsParams = typed(&published);
    assert_eq!(published["version"], 2);
    let found: Vec<(i64, &str)> = published["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|d| (d["range"]["start"]["line"].as_i64().unwrap(), d["code"].as_str().unwrap()))
        .collect();
    assert!(found.contains(&(12, "E0301")) && found.iter().any(|(line, _)| *line == 3), "{found:?}");
    assert_eq!(found.len(), 2, "{found:?}");
    client.notify("textDocument/didChange", change(3, json!([{"text": MUTEX}])));
    assert_eq!(client.published(URI)["diagnostics"], json!([]));
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": URI}}));
    assert_eq!(client.published(URI)["diagnostics"], json!([]));
    assert_eq!(client.ask("textDocument/hover", at(URI, 1, 5)), Value::Null);
    client.end();
}

#[test]
fn other_languages_have_names_too() {
    let mut client = session();
    let spl = "file:///t/a.spl";
    let text = "local x : int where x = 0\nP::[ l0: x := x + 1; l1: skip ]\nPROPERTY small : [] (at_l1 --> x <= 1)\n";
    assert!(client.open(spl, text).is_empty());
    let found: Vec<types::Location> = typed(&client.ask("textDocument/definition", at(spl, 2, 26)));
    assert_eq!(starts(&found), [(1, 21)]);
    let tvm = "file:///t/a.tvm";
    let text = "predicate taken\naction take { when !taken  taken := 1 }\nthread T { l: take -> m }\n\
                initial { node t: at[l] }\ninvariant no = !tacken\n";
    let wrong = client.open(tvm, text);
    assert_eq!((wrong.len(), &wrong[0]["code"]), (1, &json!("E0904")));
    let found: Vec<types::Location> = typed(&client.ask("textDocument/definition", at(tvm, 3, 21)));
    assert_eq!(starts(&found), [(2, 11)]);
    // Nothing is known of other texts, and nothing is wrong with them.
    assert!(client.open("file:///t/a.txt", "byte x = = 1").is_empty());
    client.end();
}

#[test]
fn columns_are_counted_as_agreed() {
    let text = "/* 𝒳ö */ byte x; active proctype P() { x = 1 }\n";
    for (encoding, column) in [("utf-8", 43), ("utf-16", 40)] {
        let mut client = Client::lsp();
        let begun = client.initialize(json!(["utf-16", encoding]));
        assert_eq!(begun["capabilities"]["positionEncoding"], encoding);
        assert!(client.open(URI, text).is_empty());
        let used = client.ask("textDocument/definition", at(URI, 0, column));
        assert_eq!(used.as_array().unwrap().len(), 1, "{encoding}");
        client.end();
    }
}

#[test]
fn unsaved_texts_are_included() {
    let mut client = session();
    client.open("file:///t/parts.h", "byte shared;\n");
    let main = "file:///t/main.pml";
    let text = "#include \"parts.h\"\nactive proctype P() { shared = 1 }\n";
    assert!(client.open(main, text).is_empty());
    let found: Vec<types::Location> = typed(&client.ask("textDocument/definition", at(main, 1, 24)));
    assert_eq!((found[0].uri.as_str(), starts(&found)), ("file:///t/parts.h", vec![(0, 5)]));
    let mut question = at(main, 1, 24);
    question["newName"] = json!("common");
    let edit = client.ask("textDocument/rename", question);
    assert_eq!(edit["changes"].as_object().unwrap().len(), 2);
    client.end();
}

#[test]
fn a_huge_text_is_read() {
    let mut client = session();
    let uri = "file:///t/huge.pml";
    let mut text = String::from("byte x0;\n");
    (1..20_000).for_each(|n| text += &format!("byte x{n};\n"));
    text += "init { x19999 = x0 }\n";
    assert!(client.open(uri, &text).is_empty());
    let found: Vec<types::Location> = typed(&client.ask("textDocument/definition", at(uri, 20_000, 9)));
    assert_eq!(starts(&found), [(19_999, 5)]);
    let outline = client.ask("textDocument/documentSymbol", json!({"textDocument": {"uri": uri}}));
    assert_eq!(outline.as_array().unwrap().len(), 20_000);
    let deep = format!("init {{ {}skip{} }}", "{ ".repeat(100_000), " }".repeat(100_000));
    assert!(!client.open("file:///t/deep.pml", &deep).is_empty());
    client.end();
}

#[test]
fn a_session_has_a_beginning_and_an_end() {
    let mut client = Client::lsp();
    assert_eq!(client.answer("textDocument/hover", at(URI, 0, 0))["error"]["code"], -32002);
    client.initialize(json!([]));
    assert_eq!(client.answer("initialize", json!({}))["error"]["code"], -32600);
    assert_eq!(client.answer("textDocument/nothing", json!({}))["error"]["code"], -32601);
    assert_eq!(client.answer("textDocument/hover", json!({"position": 1}))["error"]["code"], -32602);
    client.write("{\"id\": 1");
    assert_eq!(client.read()["error"]["code"], -32700);
    assert_eq!(client.answer("workspace/executeCommand", json!({"command": "rm"}))["error"]["code"], -32602);
    client.ask("shutdown", Value::Null);
    assert_eq!(client.answer("textDocument/hover", at(URI, 0, 0))["error"]["code"], -32600);
    assert_eq!(client.leave(), Ended::Lost);
}
