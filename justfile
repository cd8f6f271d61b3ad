# Daily commands; `just` lists them.

default:
    @just --list

# Make the default tables if they are missing, and serve
serve *args:
    cargo run --release -- serve {{args}}

# Everything a change must pass, quickest first
check: fmt lint doc test

# Is every file formatted?
fmt:
    cargo fmt --all --check

# No warnings
lint:
    cargo clippy --workspace --all-targets -- -D warnings

# The documentation builds without warnings
doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

# All tests
test *args:
    cargo test --workspace {{args}}

# Licences, banned crates and sources of what we depend on
deny:
    cargo deny check licenses bans sources

# Verify the tables: every byte, every entry, and the manifest
verify:
    cargo run --release -- verify

# What takes minutes: fifty killed makers of 3x4, ten thousand flipped bytes of its table, its nimber
endurance:
    cargo test --release --test e2e -- --ignored killing
    cargo test --release -p generate --test flips -- --ignored
    cargo test --release -p search -- --ignored nimber

# Bytes nobody has thought of: so many executions of each target, the same every time
fuzz executions="1000000":
    FUZZ_EXECUTIONS={{executions}} cargo test -p fuzz --test executions

# The same, led by coverage: needs cargo-fuzz and a C++ compiler, no nightly
cargo-fuzz target *args:
    cargo run -p fuzz --example seeds -- target/fuzz
    cargo fuzz run --fuzz-dir crates/fuzz/cargo-fuzz --sanitizer none {{target}} target/fuzz/{{target}} -- {{args}}

# Tables against live search: needs 4x4 and 3x5
agree:
    cargo run --release -- bench exact --positions 220620 --boards 4x4,3x5

# Half an hour of mixed load, ten times the admitted load, and abuse: 1,000 silent clients, half messages, searches given up
load:
    cargo run --release -- bench serve --time 30m

# Throughput of Evaluate next to an empty echo service
bench *args:
    cargo run --release -- bench {{args}}

# All that continuous integration does
ci:
    .ci/run
