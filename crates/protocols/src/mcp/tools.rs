//! What a client may ask: each tool with its arguments, as data and as a schema.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// What a client learns before it asks.
pub(crate) const INSTRUCTIONS: &str = "\
Weave checks every interleaving of a concurrent system. `check` takes Promela (.pml), SPL (.spl), \
fair transition systems (.fts), .tvm and .java files; `prove` takes .pml, .spl and .fts; `run` \
explores a real program (.c). Paths start at the folder of the server. A verdict is holds, violated \
or unknown; of a violation, `trace` shows the recorded run. `explain` says what a word or a code of \
an answer means.";

/// A call with its arguments.
#[derive(Debug, PartialEq)]
pub(crate) enum Asked {
    Check(Check),
    Prove(Prove),
    Run(Run),
    Simulate(Simulate),
    Trace(Trace),
    Explain(Explain),
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Check {
    pub(crate) file: String,
    #[serde(default)]
    pub(crate) properties: Vec<String>,
    #[serde(default)]
    pub(crate) ltl: Vec<String>,
    #[serde(default)]
    pub(crate) defines: Vec<String>,
    #[serde(default)]
    pub(crate) shortest: bool,
    #[serde(default)]
    pub(crate) keep_going: bool,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Prove {
    pub(crate) file: String,
    pub(crate) specification: Option<String>,
    #[serde(default)]
    pub(crate) properties: Vec<String>,
    #[serde(default)]
    pub(crate) ltl: Vec<String>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Run {
    pub(crate) file: String,
    #[serde(default)]
    pub(crate) arguments: Vec<String>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Simulate {
    pub(crate) file: String,
    #[serde(default)]
    pub(crate) seed: u64,
    pub(crate) steps: Option<u64>,
    pub(crate) run: Option<String>,
    #[serde(default)]
    pub(crate) defines: Vec<String>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Trace {
    pub(crate) run: String,
    pub(crate) step: Option<u64>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Explain {
    pub(crate) word: String,
}

/// Reads a call, or says what is wrong with it.
pub(crate) fn read(name: &str, arguments: Value) -> Result<Asked, String> {
    fn of<T: DeserializeOwned>(arguments: Value) -> Result<T, String> {
        serde_json::from_value(arguments).map_err(|why| why.to_string())
    }
    match name {
        "check" => of(arguments).map(Asked::Check),
        "prove" => of(arguments).map(Asked::Prove),
        "run" => of(arguments).map(Asked::Run),
        "simulate" => of(arguments).map(Asked::Simulate),
        "trace" => of(arguments).map(Asked::Trace),
        "explain" => of(arguments).map(Asked::Explain),
        _ => Err(format!("there is no tool `{name}`")),
    }
}

/// The tools there are.
pub(crate) fn listed(may_run: bool) -> Vec<Value> {
    let file = json!({"type": "string", "description": "the file, from the folder of the server"});
    let texts = |what: &str| json!({"type": "array", "items": {"type": "string"}, "description": what});
    let text = |what: &str| json!({"type": "string", "description": what});
    let number = |what: &str| json!({"type": "integer", "minimum": 0, "description": what});
    let switch = |what: &str| json!({"type": "boolean", "description": what});
    let properties = texts("names of properties to check; everything in the file if there are none");
    let ltl = texts("formulas of linear temporal logic, checked instead of the properties of the file");
    let defines = texts("macros of a Promela model, or values of constants: NAME=VALUE");
    let mut all = vec![
        tool(
            "check",
            "Search all reachable states for deadlocks, failed assertions and violated properties",
            &["file"],
            json!({
                "file": file, "properties": properties, "ltl": ltl, "defines": defines,
                "shortest": switch("find a counterexample with as few steps as possible"),
                "keep_going": switch("do not stop at the first violation"),
            }),
        ),
        tool(
            "prove",
            "Prove properties for any number of states, by invariants and rules",
            &["file"],
            json!({
                "file": file, "specification": text("a file with properties and proofs, if they are not in the first"),
                "properties": properties, "ltl": ltl,
            }),
        ),
        tool(
            "simulate",
            "Execute one run at random, or after a recorded run",
            &["file"],
            json!({
                "file": file, "seed": number("seed of the random choices"), "steps": number("how many random steps (100)"),
                "run": text("a recorded run whose steps are taken first"), "defines": defines,
            }),
        ),
        tool(
            "trace",
            "Show a recorded run step by step, as text",
            &["run"],
            json!({
                "run": text("the run that an answer named"), "step": number("show every variable after this step"),
            }),
        ),
        tool(
            "explain",
            "Explain a word of an answer, such as deadlock or vacuous, or a code, such as E0301",
            &["word"],
            json!({
                "word": text("the word or code"),
            }),
        ),
    ];
    if may_run {
        all.push(tool(
            "run",
            "Explore the interleavings of a real program; the program is executed",
            &["file"],
            json!({
                "file": file, "arguments": texts("what the program is started with"),
            }),
        ));
    }
    all
}

fn tool(name: &str, about: &str, required: &[&str], properties: Value) -> Value {
    json!({
        "name": name, "description": about,
        "inputSchema": {
            "type": "object", "properties": properties, "required": required, "additionalProperties": false,
        },
        "annotations": {"readOnlyHint": name != "run", "openWorldHint": false},
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_listed_can_be_asked() {
        for tool in listed(true) {
            let schema = &tool["inputSchema"];
            let required = schema["required"].as_array().unwrap();
            let one = |property: &Value| match property["type"].as_str().unwrap() {
                "string" => json!("a"),
                "integer" => json!(1),
                "boolean" => json!(true),
                _ => json!(["a"]),
            };
            let properties = schema["properties"].as_object().unwrap();
            let all: Value = properties.iter().map(|(name, p)| (name.clone(), one(p))).collect();
            let name = tool["name"].as_str().unwrap();
            assert!(read(name, all.clone()).is_ok(), "{name}");
            for key in required {
                let mut less = all.clone();
                less.as_object_mut().unwrap().remove(key.as_str().unwrap());
                assert!(read(name, less).is_err(), "{name} without {key}");
            }
            let mut more = all.clone();
            more["--trace"] = json!("/etc/x");
            assert!(read(name, more).is_err(), "{name}");
        }
        assert!(read("cc", json!({})).is_err());
        assert!(listed(false).iter().all(|tool| tool["name"] != "run"));
    }
}
