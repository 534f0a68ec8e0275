//! SPIN's answers kept on disk, by a hash of the program: after a fix only weave has to run again.

use super::{Outcome, Settings, search_text};
use serde_json::{Value, json};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

pub struct Cache {
    folder: Option<PathBuf>,
}

impl Cache {
    /// Without a folder every answer is computed.
    pub fn new(folder: Option<&Path>) -> Cache {
        Cache { folder: folder.map(Path::to_owned) }
    }

    pub fn search(&self, model: &str, settings: &Settings) -> io::Result<Outcome> {
        let seconds = settings.time.as_secs();
        let key = format!("raw full search, {} steps, {seconds} s\n{model}", settings.max_depth);
        let Some(file) = self.file(&key) else {
            return search_text(model, settings);
        };
        if let Some(outcome) = read(&file, &key) {
            return Ok(outcome);
        }
        let outcome = search_text(model, settings)?;
        write(&file, &key, &outcome)?;
        Ok(outcome)
    }

    fn file(&self, key: &str) -> Option<PathBuf> {
        let name = format!("{:016x}.json", fnv(key.as_bytes()));
        Some(self.folder.as_ref()?.join(&name[..2]).join(name))
    }
}

fn read(file: &Path, key: &str) -> Option<Outcome> {
    let value: Value = serde_json::from_str(&fs::read_to_string(file).ok()?).ok()?;
    (value.get("key")?.as_str()? == key).then(|| Outcome::from_json(value.get("outcome")?))?
}

fn write(file: &Path, key: &str, outcome: &Outcome) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let partial = file.with_extension(format!("{}.part", std::process::id()));
    fs::write(&partial, json!({"key": key, "outcome": outcome.to_json()}).to_string())?;
    fs::rename(partial, file)
}

/// FNV-1a with 64 bits: stable over releases, unlike the standard library's hasher.
fn fnv(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
