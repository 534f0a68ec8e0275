//! `xtask dist`: what is given to users: an archive that unpacks anywhere, a Debian package, and
//! their checksums.
//!
//! The binary is built with the profile `dist` and linked statically, so that it runs on every
//! Linux kernel of its architecture, whatever the C library there is. Times in the archives are
//! those of the commit, so the same commit gives the same bytes.

mod tree;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};
use tree::Tree;

/// The largest binary that is given out.
const LARGEST: u64 = 20 << 20;

/// What is made, and from what.
pub struct Dist {
    /// The repository.
    pub root: PathBuf,
    /// Where the archives go.
    pub out: PathBuf,
    /// A binary that is there already; otherwise one is built.
    pub weave: Option<PathBuf>,
}

/// The machine a binary is for, and the version of its package.
pub(crate) struct About {
    /// As cargo calls it.
    pub(crate) target: String,
    pub(crate) version: String,
    /// Seconds since 1970 that files in archives have as their times.
    pub(crate) time: u64,
}

impl Dist {
    /// Builds, packs and sums up; the files that were made.
    pub fn make(&self) -> io::Result<Vec<PathBuf>> {
        let about = About { target: target()?, version: self.version()?, time: self.time() };
        let weave = match &self.weave {
            Some(weave) => weave.clone(),
            None => build(&self.root, &about.target)?,
        };
        let bytes = fs::metadata(&weave)?.len();
        if bytes >= LARGEST {
            return Err(io::Error::other(format!("the binary has {bytes} bytes; at most {LARGEST}")));
        }
        println!("weave: {bytes} bytes");
        fs::create_dir_all(&self.out)?;
        let out = self.out.canonicalize()?;
        let tree = Tree { root: &self.root, weave: &weave.canonicalize()?, about: &about };
        let mut made = vec![tree.archive(&out)?];
        match crate::process::installed("dpkg-deb") {
            true => made.push(tree.debian(&out)?),
            false => println!("no .deb: dpkg-deb is not installed"),
        }
        made.push(sums(&out, &made)?);
        made.iter().for_each(|file| println!("{}", file.display()));
        Ok(made)
    }

    /// That of the workspace.
    fn version(&self) -> io::Result<String> {
        let text = fs::read_to_string(self.root.join("Cargo.toml"))?;
        let line = text.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'));
        line.map(str::to_string).ok_or_else(|| io::Error::other("Cargo.toml has no version"))
    }

    /// That of the last commit; of a source without history, 1980, the first year of many formats.
    fn time(&self) -> u64 {
        const EIGHTIES: u64 = 315_532_800;
        let given = env::var("SOURCE_DATE_EPOCH").ok();
        let commit = || said(Command::new("git").args(["log", "-1", "--format=%ct"]).current_dir(&self.root));
        given.or_else(|| commit().ok()).and_then(|text| text.trim().parse().ok()).unwrap_or(EIGHTIES)
    }
}

/// Builds the binary for other machines.
fn build(root: &Path, target: &str) -> io::Result<PathBuf> {
    let flags = format!("{} -C target-feature=+crt-static", env::var("RUSTFLAGS").unwrap_or_default());
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let words = ["build", "--locked", "--profile", "dist", "--package", "everyweave", "--bin", "weave"];
    let mut command = Command::new(cargo);
    command.args(words).args(["--target", target]).env("RUSTFLAGS", flags.trim()).current_dir(root);
    done(&mut command)?;
    let folder = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(folder.join(target).join("dist/weave"))
}

/// The machine that compiles.
fn target() -> io::Result<String> {
    let text = said(Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())).arg("-vV"))?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_string).ok_or_else(|| io::Error::other("rustc does not say for which machine it is"))
}

/// The checksums of files, as `sha256sum --check` reads them.
fn sums(out: &Path, files: &[PathBuf]) -> io::Result<PathBuf> {
    let names = files.iter().filter_map(|file| file.file_name());
    let text = said(Command::new("sha256sum").arg("--").args(names).current_dir(out))?;
    let path = out.join("SHA256SUMS");
    fs::write(&path, text)?;
    Ok(path)
}

/// Runs a command to its good end.
pub(crate) fn done(command: &mut Command) -> io::Result<()> {
    let status = command.status().map_err(|error| failed(command.get_program(), &error.to_string()))?;
    match status.success() {
        true => Ok(()),
        false => Err(failed(command.get_program(), &status.to_string())),
    }
}

/// What a command writes, if it ends well.
pub(crate) fn said(command: &mut Command) -> io::Result<String> {
    let output = command.output().map_err(|error| failed(command.get_program(), &error.to_string()))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(failed(command.get_program(), String::from_utf8_lossy(&output.stderr).trim())),
    }
}

fn failed(program: &OsStr, why: &str) -> io::Error {
    io::Error::other(format!("{}: {why}", program.to_string_lossy()))
}
