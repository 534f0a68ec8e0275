//! `weave simulate` of a program: at random, or the paper's interactive simulator. A line in, a screen out.

use crate::cli::SimulateArgs;
use crate::exit::Exit;
use crate::output::{line, out};
use crate::show::{self, program, run_chart};
use crate::style::{Style, Tone, cut};
use crate::{interrupt, json, run_file};
use std::io::BufRead;
use workbench::programs::session::{ProgramSession, Standing};
use workbench::programs::{ProgramRequest, Scenario, Scene};
use workbench::random::Random;
use workbench::{Failure, Interrupt};

const HELP: &str = "  N      take move number N             b      one step back
  j N    back to the state after step N r [N]  take N random steps
  w      who waits                      t, c   show the run so far: list, chart
  q      quit";

/// A line of the user, understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Take(usize),
    Back,
    Jump(usize),
    Random(usize),
    Waiting,
    List,
    Chart,
    Help,
    Quit,
}

pub(crate) fn run(args: &SimulateArgs) -> Result<Exit, Failure> {
    let interrupt = interrupt::listen();
    let flags = args.cflags.iter().flat_map(|f| f.split_whitespace()).map(str::to_string).collect();
    let guide = args.guide.as_deref().map(run_file::read).transpose()?;
    let request = ProgramRequest {
        program: args.model.file.clone(),
        arguments: args.arguments.clone(),
        defines: args.model.define.defines.clone(),
        flags,
        trust: args.trust,
        spurious: guide.as_ref().map_or(0, |g| g.spurious),
        ordered: guide.as_ref().is_some_and(|g| g.ordered),
        ..ProgramRequest::default()
    };
    interrupt.phase("starting the program");
    let mut session = ProgramSession::new(&request)?;
    if let Some(guide) = &guide {
        session.guide(guide)?;
    }
    interrupt.phase("simulating");
    let style = Style::of_stdout(args.output.full);
    let mut random = Random::new(args.seed);
    if args.interactive {
        interactive(&mut session, &mut random, &style, &interrupt)?;
    } else {
        session.wander(&mut random, args.steps, &|| !interrupt.is_raised())?;
    }
    let write = |session: &ProgramSession| match &args.trace {
        Some(path) => run_file::write(path, &session.recording(), Some(&scenario(session))),
        None => Ok(()),
    };
    if args.interactive {
        return Ok(show::written(write(&session), Exit::Good));
    }
    let (words, exit) = match session.standing() {
        Standing::Failed(what) => (what, Exit::Violated),
        Standing::Terminated => ("nobody has anything more to do".to_string(), Exit::Good),
        Standing::Moves => ("it could go on".to_string(), Exit::of_stop(interrupt.asked())),
    };
    if args.output.json {
        let moves: Vec<Scene> = session.offers().into_iter().map(|o| o.scene).collect();
        let so_far = (&scenario(&session), session.beginning.as_str());
        let told = json::simulated(&session.recording(), so_far, &moves, &crate::reproduce::command(), exit);
        line(&told.to_string());
        return Ok(show::written(write(&session), exit));
    }
    line(&format!("The run of {} steps ends with: {words}", session.scenes().len()));
    if !args.output.quiet {
        out(&format!("\n{}", list(&session, &style)));
        out(&run_chart::chart(&scenario(&session), &style));
        line("\nThis is one run of many; `weave run` looks at all of them.");
    }
    Ok(show::written(write(&session), exit))
}

fn scenario(session: &ProgramSession) -> Scenario {
    Scenario {
        steps: session.scenes().to_vec(),
        waiting: session.waiting(),
        failure: None,
        printed: String::new(),
    }
}

/// The run so far, with what was printed before it.
fn list(session: &ProgramSession, style: &Style) -> String {
    let begin = session.beginning.lines().map(|l| format!("      | {l}\n"));
    begin.chain([program::scenario(&scenario(session), style)]).collect()
}

fn interactive(
    session: &mut ProgramSession,
    random: &mut Random,
    style: &Style,
    interrupt: &Interrupt,
) -> Result<(), Failure> {
    prompt(session, style);
    interrupt.phase(super::AT_PROMPT);
    for input in std::io::stdin().lock().lines() {
        let Ok(input) = input else { break };
        interrupt.phase("simulating");
        if interrupt.is_raised() {
            break;
        }
        match understand(&input) {
            Some(Order::Quit) => break,
            Some(order) => obey(session, random, style, interrupt, order)?,
            None if input.trim().is_empty() => prompt(session, style),
            None => line(&format!("I do not understand `{}`. Commands:\n{HELP}", input.trim())),
        }
        interrupt.phase(super::AT_PROMPT);
    }
    interrupt.phase("simulating");
    Ok(())
}

fn understand(input: &str) -> Option<Order> {
    let mut words = input.split_whitespace();
    let (first, second) = (words.next()?, words.next());
    let number = second.map(|w| w.parse::<usize>().ok());
    match (first, number) {
        ("b", None) => Some(Order::Back),
        ("j", Some(Some(n))) => Some(Order::Jump(n)),
        ("r", None) => Some(Order::Random(1)),
        ("r", Some(Some(n))) => Some(Order::Random(n)),
        ("w", None) => Some(Order::Waiting),
        ("t", None) => Some(Order::List),
        ("c", None) => Some(Order::Chart),
        ("?" | "h" | "help", None) => Some(Order::Help),
        ("q" | "quit" | "exit", None) => Some(Order::Quit),
        (number, None) => number.parse().ok().map(Order::Take),
        _ => None,
    }
}

fn obey(
    session: &mut ProgramSession,
    random: &mut Random,
    style: &Style,
    interrupt: &Interrupt,
    order: Order,
) -> Result<(), Failure> {
    let steps = session.scenes().len();
    let done = match order {
        Order::Take(n) => n > 0 && session.take(n - 1)?,
        Order::Back => steps > 0 && session.back_to(steps - 1)?,
        Order::Jump(n) => session.back_to(n)?,
        Order::Random(n) => {
            session.wander(random, n, &|| !interrupt.is_raised())?;
            true
        }
        Order::Waiting => {
            let waiting = session.waiting();
            let all = run_chart::threads(waiting.iter());
            waiting.iter().for_each(|s| line(&format!("      {}", program::words(&all, s))));
            return Ok(());
        }
        Order::List => return shown(&list(session, style)),
        Order::Chart => return shown(&run_chart::chart(&scenario(session), style)),
        Order::Help | Order::Quit => return shown(&format!("{HELP}\n")),
    };
    match (done, order) {
        (true, _) => prompt(session, style),
        (false, Order::Take(n)) => line(&format!("There is no move {n}.")),
        (false, Order::Jump(n)) => line(&format!("The run has {steps} steps; there is no step {n}.")),
        (false, _) => line("This is the initial state."),
    }
    Ok(())
}

fn shown(text: &str) -> Result<(), Failure> {
    out(text);
    Ok(())
}

/// What was printed in the last step, where the run stands, and who can go on.
fn prompt(session: &ProgramSession, style: &Style) {
    let printed = session.scenes().last().map_or(&session.beginning, |s| &s.output);
    printed.lines().for_each(|l| line(&style.paint(Tone::Faint, &format!("      | {l}"))));
    let steps = session.scenes().len();
    let offers = session.offers();
    match session.standing() {
        Standing::Failed(what) => line(&style.paint(Tone::Bad, &format!("After step {steps}: {what}"))),
        Standing::Terminated => line(&format!("After step {steps}: nobody has anything more to do.")),
        Standing::Moves => line(&format!("After step {steps}; choose a move (? for help):")),
    }
    let waiting = session.waiting();
    let all = run_chart::threads(waiting.iter().chain(session.scenes()));
    for (at, offer) in offers.iter().enumerate() {
        line(&cut(&format!("  {:>2}  {}", at + 1, program::words(&all, &offer.scene)), style.width));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        let orders = ["3", " b ", "j 12", "r", "r 5", "w", "t", "c", "?", "q"].map(understand);
        let expected = [
            Order::Take(3),
            Order::Back,
            Order::Jump(12),
            Order::Random(1),
            Order::Random(5),
            Order::Waiting,
            Order::List,
            Order::Chart,
            Order::Help,
            Order::Quit,
        ];
        assert_eq!(orders, expected.map(Some));
        for wrong in ["", "x", "j", "j x", "-1", "3 4", "b 2"] {
            assert_eq!(understand(wrong), None, "{wrong}");
        }
    }
}
