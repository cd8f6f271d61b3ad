//! The global options and the list of subcommands.

use std::path::{Path, PathBuf};

use ::tables::Access;
use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand, ValueEnum};
use oracle::Config;
use proto::v1;
use serde::{Deserialize, Serialize};

use crate::commands::{
    advise, batch, bench, controller, endgame, generate, measure, nimstring, play, prove, review, serve,
    solve, structure, tables, verify,
};
use crate::duration;
use crate::failure::Failure;

/// Exact play for Dots and Boxes: serves, makes tables, answers.
///
/// A value is always net boxes over the rest of the game, for the player to move, under best play. Without a
/// subcommand, `serve`.
#[derive(Debug, Parser)]
#[command(
    name = "doublecross",
    version,
    max_term_width = 100,
    subcommand_required = false,
    arg_required_else_help = false,
    after_help = "Examples:
  doublecross                              serve on 127.0.0.1:50051, making the default tables first
  doublecross solve 2x2                    the value of the empty 2x2 board
  doublecross endgame --chains 9,5,2       the value of chains of 9, 5 and 2 boxes
  doublecross endgame --chains 9,5,2 --endpoint http://127.0.0.1:50051

Exit status: 0 fine, 1 no, 2 misuse."
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// What this process was called with. Without a subcommand that is read again with `serve` behind it, so that
    /// what the environment says of a server, which is read with the options of the subcommand, counts all the same.
    pub(crate) fn read() -> Cli {
        Cli::try_parse()
            .or_else(|e| match e.kind() {
                ErrorKind::MissingSubcommand => {
                    Cli::try_parse_from(std::env::args_os().chain(["serve".into()]))
                }
                _ => Err(e),
            })
            .unwrap_or_else(|e| e.exit())
    }
}

/// What every subcommand understands.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options everywhere")]
pub(crate) struct Global {
    /// The folder of the tables [default: tables]
    #[arg(long, global = true, value_name = "DIR", env = "DOUBLECROSS_TABLES", hide_env_values = true)]
    tables: Option<PathBuf>,

    /// Ask a running server instead, e.g. http://127.0.0.1:50051 (every command that answers
    /// a question about a position, a multiset or a game)
    #[arg(long, global = true, value_name = "URL")]
    pub(crate) endpoint: Option<String>,

    /// The certificates of who signed that of an https:// server, as PEM, besides those this machine trusts
    #[arg(long, global = true, value_name = "FILE", requires = "endpoint")]
    pub(crate) ca: Option<PathBuf>,

    /// A file with the token that the server wants in its first line
    #[arg(long, global = true, value_name = "FILE", env = "DOUBLECROSS_TOKEN_FILE", hide_env_values = true)]
    pub(crate) token_file: Option<PathBuf>,

    /// Print the result as JSON: the response message of the contract, as proto3 JSON, on one line
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// What to log to standard error, e.g. `debug` or `server=debug,warn`
    #[arg(long, global = true, value_name = "FILTER", env = "RUST_LOG", hide_env_values = true)]
    pub(crate) log: Option<String>,
}

/// How much of the machine a search may use.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct SearchArgs {
    /// Threads of each search; with 1 it visits the same nodes every time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,

    /// Memory for the table of each search, in MiB, rounded down to a power of two [default: 1024]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) memory: Option<u32>,
}

impl SearchArgs {
    /// The same for a search.
    pub(crate) fn config(self) -> Config {
        let default = Config::default();
        Config {
            threads: self.threads.map_or(default.threads, usize::from),
            table_bytes: self
                .memory
                .map_or(default.table_bytes, |mib| (mib as usize).saturating_mul(1 << 20)),
        }
    }

    /// Whether anything is asked for.
    pub(crate) const fn is_given(self) -> bool {
        self.threads.is_some() || self.memory.is_some()
    }
}

/// How much search a query may cost.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct BudgetArgs {
    /// Stop after so many search nodes
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,

    /// Stop after so much time, e.g. 500ms, 10s, 2m [default: 10s]
    #[arg(long, value_name = "TIME", value_parser = duration::millis)]
    time: Option<u32>,
}

impl BudgetArgs {
    /// The same for a query; `None` when nothing is asked for.
    pub(crate) fn budget(self) -> Option<v1::Budget> {
        let BudgetArgs { nodes, time } = self;
        (nodes.is_some() || time.is_some()).then_some(v1::Budget {
            max_nodes: nodes,
            max_millis: time,
            until_deadline: false,
        })
    }
}

/// The ways to a table's file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TableAccess {
    /// Map it: the system keeps in memory what is used; whoever cuts the file short ends the process
    Map,
    /// Map it, and have the system read all of it at once
    Prefault,
    /// Read each block when it is asked for; a file that is cut short does no harm
    File,
    /// Read it whole into memory
    Memory,
}

impl From<TableAccess> for Access {
    fn from(access: TableAccess) -> Access {
        match access {
            TableAccess::Map => Access::Map,
            TableAccess::Prefault => Access::MapPrefault,
            TableAccess::File => Access::Read,
            TableAccess::Memory => Access::Load,
        }
    }
}

/// The subcommands; what each does is said where its options are.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Serve(Box<serve::ServeArgs>),
    Generate(generate::GenerateArgs),
    Verify(verify::VerifyArgs),
    Tables(tables::TablesArgs),
    Solve(solve::SolveArgs),
    Prove(prove::ProveArgs),
    Play(play::PlayArgs),
    Measure(measure::MeasureArgs),
    Endgame(endgame::EndgameArgs),
    Structure(structure::StructureArgs),
    Advise(advise::AdviseArgs),
    Controller(controller::ControllerArgs),
    Nimstring(nimstring::NimstringArgs),
    Review(review::ReviewArgs),
    Batch(batch::BatchArgs),
    Bench(bench::BenchArgs),
}

impl Command {
    const fn name(&self) -> &'static str {
        match self {
            Command::Serve(_) => "serve",
            Command::Generate(_) => "generate",
            Command::Verify(_) => "verify",
            Command::Tables(_) => "tables",
            Command::Solve(_) => "solve",
            Command::Prove(_) => "prove",
            Command::Play(_) => "play",
            Command::Measure(_) => "measure",
            Command::Endgame(_) => "endgame",
            Command::Structure(_) => "structure",
            Command::Advise(_) => "advise",
            Command::Controller(_) => "controller",
            Command::Nimstring(_) => "nimstring",
            Command::Review(_) => "review",
            Command::Batch(_) => "batch",
            Command::Bench(_) => "bench",
        }
    }

    /// Whether a running server can answer it.
    const fn is_query(&self) -> bool {
        matches!(
            self,
            Command::Solve(_)
                | Command::Play(_)
                | Command::Endgame(_)
                | Command::Structure(_)
                | Command::Advise(_)
                | Command::Controller(_)
                | Command::Nimstring(_)
                | Command::Review(_)
                | Command::Batch(_)
        )
    }
}

impl Global {
    /// The folder of the tables.
    pub(crate) fn tables(&self) -> &Path {
        self.tables_given().unwrap_or(Path::new(::tables::DEFAULT_DIR))
    }

    /// The same, if it was said.
    pub(crate) fn tables_given(&self) -> Option<&Path> {
        self.tables.as_deref()
    }

    /// Refuses the options that would have no effect on this command.
    pub(crate) fn check(&self, command: &Command) -> Result<(), Failure> {
        let name = command.name();
        if self.endpoint.is_some() && !command.is_query() {
            return Err(Failure::misuse(format!(
                "--endpoint asks a running server, which `{name}` does not; leave it out"
            )));
        }
        if self.json && matches!(command, Command::Serve(_)) {
            return Err(Failure::misuse("`serve` prints no result, so it takes no --json; leave it out"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn every_subcommand_has_an_example() {
        let cli = super::Cli::command();
        cli.clone().debug_assert();
        for sub in cli.get_subcommands() {
            let help = sub.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains(&format!("doublecross {}", sub.get_name())), "{}", sub.get_name());
        }
    }
}
