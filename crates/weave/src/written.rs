//! Files that a command writes. A file that something else made is not overwritten: it may be the
//! model.

use std::path::Path;
use workbench::Failure;

/// Writes a text. A file that is there already must begin as the text does: then it is an older one
/// of the same kind.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let fail = |message: String| Failure::File { path: path.to_path_buf(), message };
    if is_foreign(path, text) {
        let message = "it exists and was not written by weave; it is left as it is, so choose another name";
        return Err(fail(message.to_string()));
    }
    std::fs::write(path, text).map_err(|e| fail(e.to_string()))
}

fn is_foreign(path: &Path, text: &str) -> bool {
    let regular = std::fs::metadata(path).is_ok_and(|about| about.is_file() && about.len() > 0);
    let beginning =
        |bytes: &[u8]| bytes.iter().copied().take_while(|b| *b != b'\n').take(7).collect::<Vec<u8>>();
    regular && std::fs::read(path).is_ok_and(|old| beginning(&old) != beginning(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_not_overwritten() {
        let folder = std::env::temp_dir().join(format!("weave-written-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("m.pml");
        std::fs::write(&path, "init { skip }\n").unwrap();
        assert!(write(&path, "{\n  \"format\": 1 }\n").is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "init { skip }\n");
        let path = folder.join("t.json");
        assert!(write(&path, "{\n 1 }\n").is_ok() && write(&path, "{\n 2 }\n").is_ok());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "{\n 2 }\n");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
