//! `weave completions`: completions for a shell, from the definitions of the command line itself.
//! For bash, zsh and fish, `weave names` completes the properties of the file on the line.

use crate::cli::{self, CompletionsArgs};
use crate::exit::Exit;
use crate::output::out;
use clap_complete::Shell;
use workbench::Failure;

pub(crate) fn run(args: &CompletionsArgs) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut cli::command(), "weave", &mut script);
    out(&with_names(args.shell, &String::from_utf8_lossy(&script)));
    Ok(Exit::Good)
}

/// The script, in which `--property` completes names of properties.
fn with_names(shell: Shell, script: &str) -> String {
    match shell {
        Shell::Bash => format!("{script}{BASH}"),
        Shell::Fish => format!("{script}{FISH}"),
        Shell::Zsh => {
            let named = script.replace(":NAME:_default'", ":NAME:_weave_names'");
            format!("#compdef weave\n{ZSH}{}", named.trim_start_matches("#compdef weave\n"))
        }
        _ => script.to_string(),
    }
}

const BASH: &str = r#"
_weave_names() {
    if [[ ${COMP_WORDS[COMP_CWORD-1]} == --property ]]; then
        local names
        names=$(weave names -- "${COMP_WORDS[@]:2}" 2>/dev/null)
        COMPREPLY=($(compgen -W "$names" -- "${COMP_WORDS[COMP_CWORD]}"))
        return 0
    fi
    _weave "$@"
}
complete -F _weave_names -o nosort -o bashdefault -o default weave 2>/dev/null ||
    complete -F _weave_names -o bashdefault -o default weave
"#;

const ZSH: &str = r#"
_weave_names() {
    local -a names
    names=(${(f)"$(weave names -- "${words[@]:2}" 2>/dev/null)"})
    compadd -a names
}
"#;

const FISH: &str = r#"
complete -c weave -n "__fish_seen_subcommand_from check prove" -l property -x \
    -a '(weave names -- (commandline -o)[3..] 2>/dev/null)'
"#;
