//! Writes the seeds of every target as files, for a fuzzer to begin with: `cargo run -p fuzz --example seeds -- DIR`.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use fuzz::Target;

fn main() -> Result<(), Box<dyn Error>> {
    let dir = PathBuf::from(std::env::args_os().nth(1).ok_or("where to?")?);
    for target in Target::ALL {
        let dir = dir.join(target.name);
        fs::create_dir_all(&dir)?;
        for (i, seed) in (target.seeds)().iter().enumerate() {
            fs::write(dir.join(format!("seed-{i:03}")), seed)?;
        }
    }
    Ok(())
}
