//! The command line of Double Cross: one binary that serves, makes tables and answers.
//!
//! Every query is an `EvaluateRequest` of the contract and every answer an `EvaluateResponse`, whether a
//! running server gives it (`--endpoint`) or this process does; what is printed, as text or as JSON, is made
//! from that message alone. So both ways print the same.
//!
//! * [`args`]: the global options and the list of subcommands.
//! * [`commands`]: one module per subcommand, each with its own options.
//! * [`backend`]: who answers.
//! * [`failure`]: what can go wrong, in one sentence, and the exit status.
//! * [`interrupt`], [`progress`], [`position`], [`render`]: what several subcommands share.

mod args;
mod backend;
mod commands;
mod duration;
mod failure;
mod interrupt;
mod logging;
mod notation;
mod position;
mod progress;
mod render;

use std::io::Write as _;
use std::process::ExitCode;

use crate::args::{Cli, Command};
use crate::failure::Failure;
use crate::interrupt::Interrupt;

fn main() -> ExitCode {
    let outcome = run(Cli::read());
    let outcome = outcome.and_then(|()| std::io::stdout().flush().map_err(Failure::from));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(Cli { global, command }: Cli) -> Result<(), Failure> {
    global.check(&command)?;
    // A server's settings say what it logs, and how.
    let _guard = match command {
        Command::Serve(_) => logging::Guard::default(),
        _ => logging::start(global.log.as_deref(), None)?,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|e| Failure::no(format!("cannot start worker threads ({e})")))?;
    let outcome = runtime.block_on(async {
        let interrupt = Interrupt::listen()?;
        match command {
            Command::Serve(args) => commands::serve::run(*args, &global, interrupt).await,
            Command::Generate(args) => commands::generate::run(args, &global, interrupt).await,
            Command::Verify(args) => commands::verify::run(args, &global, interrupt).await,
            Command::Tables(args) => commands::tables::run(args, &global),
            Command::Solve(args) => commands::solve::run(args, &global, interrupt).await,
            Command::Play(args) => commands::play::run(args, &global, interrupt).await,
            Command::Measure(args) => commands::measure::run(args, &global, interrupt).await,
            Command::Prove(args) => commands::prove::run(args, &global, interrupt).await,
            Command::Endgame(args) => commands::endgame::run(args, &global, interrupt).await,
            Command::Structure(args) => commands::structure::run(args, &global, interrupt).await,
            Command::Advise(args) => commands::advise::run(args, &global, interrupt).await,
            Command::Controller(args) => commands::controller::run(args, &global, interrupt).await,
            Command::Nimstring(args) => commands::nimstring::run(args, &global, interrupt).await,
            Command::Review(args) => commands::review::run(args, &global, interrupt).await,
            Command::Batch(args) => commands::batch::run(args, &global, interrupt).await,
            Command::Bench(args) => commands::bench::run(args, &global, interrupt).await,
        }
    });
    // A thread that waits for input that never comes is not waited for.
    runtime.shutdown_background();
    outcome
}
