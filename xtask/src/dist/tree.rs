//! The files of a package, in the folders where a system expects them: `bin`, `share/man`, the
//! completions of three shells, documentation. The archive has them below one folder, the Debian
//! package below `usr`.

use super::{About, done, said};
use crate::scratch::Scratch;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

/// What packages are made of.
pub(super) struct Tree<'a> {
    pub(super) root: &'a Path,
    pub(super) weave: &'a Path,
    pub(super) about: &'a About,
}

/// Where shells look for completions, below `share`.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "bash-completion/completions/weave"),
    ("zsh", "zsh/vendor-completions/_weave"),
    ("fish", "fish/vendor_completions.d/weave.fish"),
];

/// Pages that are given with it.
const PAGES: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

impl Tree<'_> {
    /// `weave-VERSION-TARGET.tar.gz`.
    pub(super) fn archive(&self, out: &Path) -> io::Result<PathBuf> {
        let scratch = Scratch::new("dist")?;
        let About { target, version, .. } = self.about;
        let name = format!("weave-{version}-{target}");
        self.lay(&scratch.path().join(&name))?;
        open_to_all(&scratch.path().join(&name))?;
        let path = out.join(format!("{name}.tar.gz"));
        let owner = ["--owner=0", "--group=0", "--numeric-owner", "--sort=name", "--format=gnu"];
        let mut tar = Command::new("tar");
        tar.args(owner).arg(format!("--mtime=@{}", self.about.time)).arg("--use-compress-program=gzip -9n");
        done(tar.arg("-C").arg(scratch.path()).arg("-cf").arg(&path).arg(&name))?;
        Ok(path)
    }

    /// `weave_VERSION_ARCHITECTURE.deb`.
    pub(super) fn debian(&self, out: &Path) -> io::Result<PathBuf> {
        let scratch = Scratch::new("deb")?;
        let folder = scratch.path().join("package");
        self.lay(&folder.join("usr"))?;
        let architecture = said(Command::new("dpkg").arg("--print-architecture"))?.trim().to_string();
        let control = self.control(&architecture, size(&folder)?.div_ceil(1024));
        write(&folder.join("DEBIAN/control"), control.as_bytes())?;
        open_to_all(&folder)?;
        let path = out.join(format!("weave_{}_{architecture}.deb", self.about.version));
        let mut deb = Command::new("dpkg-deb");
        deb.args(["--root-owner-group", "-Zxz", "--build"]).arg(&folder).arg(&path);
        said(deb.env("SOURCE_DATE_EPOCH", self.about.time.to_string()))?;
        Ok(path)
    }

    fn control(&self, architecture: &str, kilobytes: u64) -> String {
        let version = &self.about.version;
        format!(
            "Package: weave\nVersion: {version}\nArchitecture: {architecture}\nSection: devel\nPriority: optional\n\
             Maintainer: Everyweave <everyweave@example.invalid>\nInstalled-Size: {kilobytes}\n\
             Recommends: gcc | c-compiler\nSuggests: gdb, z3, cvc5, graphviz\n\
             Description: checks every interleaving of a concurrent system\n \
             weave searches Promela models, runs C and C++ programs in every order of their\n \
             operations, proves properties of SPL programs, and checks Java classes for any\n \
             number of threads.\n"
        )
    }

    /// Everything below a folder.
    fn lay(&self, folder: &Path) -> io::Result<()> {
        let binary = folder.join("bin/weave");
        write(&binary, &fs::read(self.weave)?)?;
        fs::set_permissions(&binary, fs::Permissions::from_mode(0o755))?;
        let share = folder.join("share");
        self.pages(&share.join("man/man1"))?;
        for (shell, path) in COMPLETIONS {
            let script = said(Command::new(self.weave).args(["completions", shell]))?;
            write(&share.join(path), script.as_bytes())?;
        }
        for page in PAGES {
            write(&share.join("doc/weave").join(page), &fs::read(self.root.join(page))?)?;
        }
        let licences = "weave may be used under either of the licences beside this file:\n\
                        LICENSE-MIT, LICENSE-APACHE.\n";
        write(&share.join("doc/weave/copyright"), licences.as_bytes())
    }

    /// The manual, compressed as Debian asks for it.
    fn pages(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        said(Command::new(self.weave).arg("man").arg(folder))?;
        let mut pages: Vec<PathBuf> =
            fs::read_dir(folder)?.map(|entry| entry.map(|e| e.path())).collect::<io::Result<_>>()?;
        pages.sort();
        done(Command::new("gzip").args(["-9n", "--"]).args(&pages))
    }
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, bytes)
}

/// Readable for all, whatever the mask of the user is.
fn open_to_all(folder: &Path) -> io::Result<()> {
    done(Command::new("chmod").args(["-R", "u=rwX,go=rX"]).arg(folder))
}

/// The bytes of all files below a folder.
fn size(folder: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let about = entry.metadata()?;
        bytes += if about.is_dir() { size(&entry.path())? } else { about.len() };
    }
    Ok(bytes)
}
