//! The examples of the tour, one for each way in, and a folder of their own: who takes the tour may
//! change them.

use crate::secret::Key;
use std::fs;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

macro_rules! examples {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../../../models/", $path)))),*]
    };
}

const EXAMPLES: &[(&str, &str)] = examples! {
    "promela/needham_schroeder.pml",
    "programs/race_counter.c",
    "spl/bakery2.spl",
    "shapes/BrokenStack.java",
};

/// A folder with copies of the examples, which goes when this does.
pub struct Tour {
    /// What no other user may look into.
    folder: PathBuf,
    examples: PathBuf,
}

impl Tour {
    /// Copies the examples to a temporary folder that no other user may look into.
    pub fn new() -> io::Result<Tour> {
        let folder = std::env::temp_dir().join(format!("weave-tour-{}", Key::random()?.text()));
        fs::DirBuilder::new().mode(0o700).create(&folder)?;
        let tour = Tour { examples: folder.join("tour"), folder };
        fs::create_dir(&tour.examples)?;
        for (path, text) in EXAMPLES {
            let name = path.rsplit('/').next().unwrap_or(path);
            fs::write(tour.examples.join(name), text)?;
        }
        Ok(tour)
    }

    /// Where the copies are.
    pub fn examples(&self) -> &Path {
        &self.examples
    }
}

impl Drop for Tour {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page speaks of these files, and of no others.
    #[test]
    fn the_page_and_the_folder_have_the_same_examples() {
        let page = include_str!("../page/tour.js");
        let tour = Tour::new().unwrap();
        let names =
            fs::read_dir(tour.examples()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
        let names: Vec<String> = names.collect();
        assert_eq!(names.len(), EXAMPLES.len());
        assert!(names.iter().all(|name| page.contains(&format!("'{name}'"))), "{names:?}");
        let (folder, examples) = (tour.folder.clone(), tour.examples().to_path_buf());
        assert!(examples.starts_with(&folder));
        drop(tour);
        assert!(!folder.exists());
    }
}
