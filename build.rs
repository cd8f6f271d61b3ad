//! Compiles the contract, `proto/doublecross/v1/*.proto`, without `protoc`.
//!
//! This is the build script of the `proto` crate (`build = "../build.rs"` there), so it runs in `proto/`.
//! It writes to `OUT_DIR`: the messages, client and server; their proto3 JSON; and the descriptors, with
//! comments, that reflection serves.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

const PACKAGE: &str = "doublecross.v1";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new("doublecross/v1");
    println!("cargo::rerun-if-changed=../build.rs");
    println!("cargo::rerun-if-changed={}", folder.display());

    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let file = entry?.path();
        if file.extension().is_some_and(|e| e == "proto") {
            println!("cargo::rerun-if-changed={}", file.display());
            files.push(file);
        }
    }
    // The order of a folder is the file system's; sorted, the output is the same everywhere.
    files.sort();

    let mut compiler = protox::Compiler::new(["."])?;
    compiler.include_source_info(true).include_imports(true).open_files(files)?;
    let encoded = compiler.encode_file_descriptor_set();
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    fs::write(out.join(format!("{PACKAGE}.bin")), &encoded)?;

    tonic_prost_build::configure().compile_fds(compiler.file_descriptor_set())?;
    // Zeros are printed: a value of 0 is an answer, not a field left out.
    pbjson_build::Builder::new()
        .register_descriptors(&encoded)?
        .emit_fields()
        .build(&[format!(".{PACKAGE}")])?;
    Ok(())
}
