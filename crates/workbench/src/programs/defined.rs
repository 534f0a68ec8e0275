//! A `-D` that a C or C++ program does not use: mostly a misspelt name, and then the program is
//! not the one that was meant. So it is refused, as it is for models.
//!
//! Only what is certain is refused. The preprocessor lists the macros that it expands or asks for
//! (`-E -dU` of gcc), which covers names that `##` puts together; and the name must not stand in
//! any file that was read either, since a condition may have left that part out. A compiler that
//! does not know `-dU` does not list a name of our own, and then nothing is refused.

use crate::model::mentions;
use crate::question::Define;
use std::path::Path;
use std::process::Command;

/// Asked for in every file, so it is listed if anything is.
const PROBE: &str = "WEAVE_IS_ASKED_FOR";
const ASKED: &str = "#ifdef WEAVE_IS_ASKED_FOR\n#endif\n";

/// The first definition that the program certainly does not use. `folder` is ours: it has the
/// header `weave.h`.
pub(super) fn unused<'a>(
    source: &Path,
    defines: &'a [Define],
    flags: &[String],
    folder: &Path,
) -> Option<&'a Define> {
    if defines.is_empty() {
        return None;
    }
    let listed = listed(source, flags, folder).filter(|listed| lists(listed, PROBE))?;
    let texts = texts(&listed)?;
    let by_another = |define: &Define| {
        let others = defines.iter().filter(|other| other.name != define.name);
        others.flat_map(|other| &other.value).any(|value| mentions(value, &define.name))
    };
    let stands = |name: &str| texts.iter().any(|text| mentions(text, name));
    defines.iter().find(|d| !lists(&listed, &d.name) && !by_another(d) && !stands(&d.name))
}

/// What the preprocessor says; `None` if it cannot be asked.
fn listed(source: &Path, flags: &[String], folder: &Path) -> Option<String> {
    let cpp = source.extension().is_some_and(|e| e != "c");
    let (variable, usual) = if cpp { ("CXX", "c++") } else { ("CC", "cc") };
    let named = std::env::var(variable).unwrap_or_default();
    let mut words = named.split_whitespace();
    let compiler = words.next().unwrap_or(usual);
    // `make CC='weave cc'` names ourselves.
    if Path::new(compiler).file_name().is_some_and(|name| name == "weave") {
        return None;
    }
    let header = folder.join("asked.h");
    std::fs::write(&header, ASKED).ok()?;
    let mut command = Command::new(compiler);
    command.args(words).args(flags).args(["-E", "-dU", &format!("-D{PROBE}"), "-I"]).arg(folder);
    let said = command.arg("-include").arg(&header).arg(source).output().ok()?;
    said.status.success().then(|| String::from_utf8_lossy(&said.stdout).into_owned())
}

/// Whether a macro is among those that are expanded or asked for.
fn lists(listed: &str, name: &str) -> bool {
    let macros = listed.lines().filter_map(|line| {
        let rest = line.strip_prefix("#define ").or_else(|| line.strip_prefix("#undef "))?;
        rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()
    });
    macros.into_iter().any(|listed| listed == name)
}

/// The files that were read; `None` if one cannot be read again.
fn texts(listed: &str) -> Option<Vec<String>> {
    let mut names: Vec<&str> = listed.lines().filter_map(file).collect();
    names.sort_unstable();
    names.dedup();
    let read = |name: &str| std::fs::read(name).ok();
    let all: Option<Vec<Vec<u8>>> = names.into_iter().map(read).collect();
    Some(all?.iter().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect())
}

/// The file of a line `# 12 "file.h" 1`; what the compiler has within itself is none.
fn file(line: &str) -> Option<&str> {
    let (number, rest) = line.strip_prefix("# ")?.split_once(" \"")?;
    let name = rest.rsplit_once('"')?.0;
    (number.bytes().all(|b| b.is_ascii_digit()) && !name.starts_with('<') && !name.ends_with('/'))
        .then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn define(text: &str) -> Define {
        let (name, value) = text.split_once('=').map_or((text, None), |(n, v)| (n, Some(v.to_string())));
        Define { name: name.to_string(), value }
    }

    /// A program beside a header, and which of these definitions is the first to be refused.
    fn first(program: &str, header: &str, defines: &[&str]) -> Option<String> {
        static COUNT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        let folder = std::env::temp_dir().join(format!("weave-defined-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let source = folder.join("program.c");
        std::fs::write(&source, program).unwrap();
        std::fs::write(folder.join("own.h"), header).unwrap();
        let defines: Vec<Define> = defines.iter().map(|text| define(text)).collect();
        let flags: Vec<String> = defines.iter().map(|d| format!("-D{}", d.text())).collect();
        let found = unused(&source, &defines, &flags, &folder).map(|d| d.name.clone());
        std::fs::remove_dir_all(&folder).unwrap();
        found
    }

    #[test]
    fn only_what_is_certain_is_refused() {
        let main = "int main(void) { return 0; }\n";
        assert_eq!(first(&format!("int x = N;\n{main}"), "", &["N=3"]), None);
        assert_eq!(first(&format!("int x = N;\n{main}"), "", &["N=3", "M=3"]).as_deref(), Some("M"));
        assert_eq!(first(main, "", &["FIX"]).as_deref(), Some("FIX"));
        assert_eq!(first(&format!("#ifdef FIX\n#endif\n{main}"), "", &["FIX"]), None);
        // A header, a name that is put together, another definition, a part that is left out.
        assert_eq!(first(&format!("#include \"own.h\"\n{main}"), "int x = N;\n", &["N=3"]), None);
        let pasted = format!("#define P(a) X_##a\nint x = P(A);\n{main}");
        assert_eq!(first(&pasted, "", &["X_A=4"]), None);
        assert_eq!(first(&format!("int x = N;\n{main}"), "", &["N=M", "M=3"]), None);
        assert_eq!(first(&format!("#ifdef A\nint x = N;\n#endif\n{main}"), "", &["N=3"]), None);
        // Headers of the system ask for it.
        assert_eq!(first(&format!("#include <stdio.h>\n{main}"), "", &["_GNU_SOURCE"]), None);
    }
}
