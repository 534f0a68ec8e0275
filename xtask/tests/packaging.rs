//! What users are given: the archive and the Debian package have what belongs in them, and the
//! files that GitHub and Docker read pass their linters.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use xtask::dist::Dist;
use xtask::scratch::Scratch;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository").to_path_buf()
}

/// A binary as far as packages need one: it writes its manual and completions.
const STAND_IN: &str = "#!/bin/sh
case $1 in
  man) echo '.TH weave 1' >\"$2/weave.1\"; echo '.TH weave-check 1' >\"$2/weave-check.1\" ;;
  completions) echo \"# for $2\" ;;
esac
";

fn said(program: &str, words: &[&str], folder: &Path) -> String {
    let output = Command::new(program).args(words).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{program} {words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn packages_have_what_belongs_in_them() {
    let scratch = Scratch::new("packages").unwrap();
    let weave = scratch.path().join("stand-in");
    fs::write(&weave, STAND_IN).unwrap();
    fs::set_permissions(&weave, fs::Permissions::from_mode(0o755)).unwrap();
    let make = |folder: &str| {
        let out = scratch.path().join(folder);
        Dist { root: root(), out: out.clone(), weave: Some(weave.clone()) }.make().unwrap();
        out
    };
    let (out, again) = (make("first"), make("second"));
    let sums = |folder: &Path| fs::read_to_string(folder.join("SHA256SUMS")).unwrap();
    assert_eq!(sums(&out), sums(&again), "the same commit gives the same bytes");
    assert_eq!(sums(&out).lines().count(), 2, "{}", sums(&out));
    said("sha256sum", &["--check", "--quiet", "SHA256SUMS"], &out);

    let named = |ending: &str| {
        let names = fs::read_dir(&out).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.ends_with(ending)).collect::<String>()
    };
    let (archive, deb) = (named(".tar.gz"), named(".deb"));
    let archive = said("tar", &["-tvzf", &archive], &out);
    let deb_files = said("dpkg-deb", &["--contents", &deb], &out);
    for file in [
        "bin/weave",
        "share/man/man1/weave-check.1.gz",
        "share/bash-completion/completions/weave",
        "share/zsh/vendor-completions/_weave",
        "share/fish/vendor_completions.d/weave.fish",
        "share/doc/weave/copyright",
        "share/doc/weave/README.md",
    ] {
        let line = |list: &str, path: &str| list.lines().find(|l| l.ends_with(path)).map(str::to_string);
        let (one, other) = (line(&archive, file), line(&deb_files, &format!("usr/{file}")));
        let mode = if file == "bin/weave" { "-rwxr-xr-x" } else { "-rw-r--r--" };
        assert!(one.as_ref().is_some_and(|l| l.starts_with(mode)), "{file}: {one:?}");
        assert!(other.as_ref().is_some_and(|l| l.starts_with(mode)), "{file}: {other:?}");
    }
    let about = said("dpkg-deb", &["--info", &deb], &out);
    assert!(about.contains("Package: weave") && about.contains("Recommends: gcc"), "{about}");
}

#[test]
fn a_binary_that_is_too_large_is_not_packed() {
    let scratch = Scratch::new("large").unwrap();
    let weave = scratch.path().join("large");
    fs::File::create(&weave).unwrap().set_len(21 << 20).unwrap();
    let dist = Dist { root: root(), out: scratch.path().join("out"), weave: Some(weave) };
    let refused = dist.make().expect_err("the binary is too large").to_string();
    assert!(refused.contains("at most 20971520"), "{refused}");
}

fn linted(folder: &Path) -> Output {
    let packages = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lint");
    let run = root().join(".github/lint/run");
    Command::new(run).arg(folder).arg(packages).output().unwrap()
}

fn words(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// One test for all, since the packages of the linters are installed once.
#[test]
fn workflows_the_action_and_the_docker_file_pass_their_linters() {
    let clean = linted(&root());
    assert!(clean.status.success(), "{}", words(&clean));
    for (file, right, wrong, says) in [
        (".github/workflows/test.yml", "runs-on: ubuntu-latest", "runs-on: ubunto", "ubunto"),
        (".github/workflows/packages.yml", "permissions:", "permisions:", "permisions"),
        ("action.yml", "using: composite", "using: composit", "composit"),
        ("Dockerfile", "--no-install-recommends ", "", "DL3015"),
    ] {
        let scratch = Scratch::new("lint").unwrap();
        fs::create_dir_all(scratch.path().join(".github/workflows")).unwrap();
        for name in
            [".github/workflows/test.yml", ".github/workflows/packages.yml", "action.yml", "Dockerfile"]
        {
            let text = fs::read_to_string(root().join(name)).unwrap();
            let text = if name == file { text.replace(right, wrong) } else { text };
            fs::write(scratch.path().join(name), text).unwrap();
        }
        let broken = linted(scratch.path());
        assert!(!broken.status.success() && words(&broken).contains(says), "{file}: {}", words(&broken));
    }
}
