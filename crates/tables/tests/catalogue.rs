//! A folder of tables.

#![allow(clippy::unwrap_used)] // helpers of tests

mod common;

use std::fs;

use common::{at, board, file, id, values};
use endgame::Multiset;
use game::{Boxes, Symmetry};
use tables::{Catalogue, Kind, Manifest, Reason, Table, TableId, verify};

#[test]
fn both_orientations_are_answered_from_one_file() {
    let dir = tempfile::tempdir().unwrap();
    for cols in 1..4 {
        fs::write(dir.path().join(id(1, cols).file_name()), file(1, cols, 64)).unwrap();
    }
    let tables = Catalogue::open(dir.path());
    for cols in 1..4 {
        for (mask, value) in values(board(1, cols)).into_iter().enumerate() {
            let lying = at(board(1, cols), mask as u64);
            let standing = Symmetry::TRANSPOSE.position(&lying);
            for p in [lying, standing] {
                let probe = tables.board(&p).unwrap();
                assert_eq!((probe.value, probe.table), (value, id(1, cols)), "{p:?}");
            }
        }
        let standing = values(board(cols, 1));
        for (mask, value) in standing.into_iter().enumerate() {
            assert_eq!(tables.board(&at(board(cols, 1), mask as u64)).unwrap().value, value);
        }
    }
    for (rows, cols) in [(2, 2), (1, 4), (4, 1), (4, 5), (8, 8)] {
        assert_eq!(tables.board(&at(board(1, 1), 0)).unwrap().value, Boxes(-1));
        assert_eq!(tables.board(&game::Position::empty(board(rows, cols))), None);
    }
    assert_eq!(tables.endgame(&Multiset::default()), None);
}

#[test]
fn an_endgame_table_by_hand() {
    // Up to 3 boxes: {}; 1; 11, 2; 111, 21, 3. Six bits of boxes won, then the ways to open.
    let id = TableId::endgame(3).unwrap();
    let entry = |boxes: i16, value: i16, best: u16| (best << 6 | ((boxes + value) / 2) as u16).to_le_bytes();
    let entries = [
        entry(0, 0, 0),
        entry(1, -1, 1),
        entry(2, 0, 1),
        entry(2, -2, 0b11),
        entry(3, -1, 1),
        entry(3, 1, 1), // Open the 1-chain, and take the 2-chain.
        entry(3, -3, 1),
    ];
    let dir = tempfile::tempdir().unwrap();
    let bytes = tables::pack(id, 4096, &entries.concat()).unwrap();
    fs::write(dir.path().join("endgame-3.table"), bytes).unwrap();
    let tables = Catalogue::open(dir.path());
    for (chains, value) in
        [(&[][..], 0), (&[1], -1), (&[1, 1], 0), (&[2], -2), (&[1, 1, 1], -1), (&[2, 1], 1), (&[3], -3)]
    {
        let set = Multiset::new(chains, &[]).unwrap();
        let entry = tables.endgame(&set).unwrap();
        assert_eq!((entry.value, entry.table), (Boxes(value), id), "{set}");
        assert_eq!(entry.value, endgame::value(&set), "{set}");
        assert_eq!(entry.best_openings, endgame::best_openings(&set), "{set}");
    }
    assert_eq!(tables.endgame(&Multiset::new(&[4], &[]).unwrap()), None);
    assert_eq!(tables.endgame(&Multiset::new(&[], &[4]).unwrap()), None);
}

#[test]
fn impossible_endgame_entries_are_not_answered() {
    let id = TableId::endgame(1).unwrap();
    let probe = |second: u16| {
        let bytes = tables::pack(id, 4096, &[[0; 2], second.to_le_bytes()].concat()).unwrap();
        let Table::Endgame(table) = Table::open(bytes, id, 0).unwrap() else { panic!("an endgame table") };
        let walked = table.walk(|_| {});
        let probed = table.probe(&Multiset::new(&[1], &[]).unwrap());
        assert_eq!(walked.is_ok(), probed.is_some());
        walked
    };
    assert_eq!(probe(1 << 6), Ok(()));
    for impossible in [0, 2, 1 << 6 | 2, 1 << 7, 3 << 6, u16::MAX] {
        assert_eq!(probe(impossible), Err(Reason::Entry(1)), "{impossible:#b}");
    }
}

#[test]
fn a_listing_says_what_is_there_and_what_is_not() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("board-1x2.table"), file(1, 2, 4096)).unwrap();
    fs::write(dir.path().join("board-1x3.table"), b"").unwrap();
    fs::create_dir(dir.path().join("board-2x2.table")).unwrap();
    fs::write(dir.path().join("board-1x11.table"), b"not one of the default tables").unwrap();
    fs::write(dir.path().join("board-9x9.table"), b"no table").unwrap();
    fs::write(dir.path().join("notes.txt"), b"no table").unwrap();
    let tables = Catalogue::open(dir.path());
    let ids: Vec<TableId> = tables.list().iter().map(|l| l.id).collect();
    assert!(ids.is_sorted());
    assert_eq!(ids.len(), TableId::default_set().len() + 1);
    for listing in tables.list() {
        let name = listing.id.to_string();
        match name.as_str() {
            "board-1x2" => {
                assert_eq!(listing.status, Ok(()));
                assert_eq!(listing.bytes, fs::metadata(&listing.path).unwrap().len());
                assert!(listing.digest.is_some());
                assert_eq!(listing.entries, 12);
            }
            "board-1x3" | "board-1x11" => assert_eq!(listing.status, Err(Reason::NotATable)),
            "board-2x2" => assert!(listing.status.is_err()),
            _ => assert_eq!(listing.status, Err(Reason::Missing)),
        }
        let dir = dir.path().display();
        assert_eq!(listing.command, format!("doublecross generate {} --tables {dir}", listing.id.request()));
    }
    assert_eq!(tables.problems().len(), ids.len() - 1);
    assert!(Catalogue::empty().problems().is_empty() && Catalogue::empty().list().is_empty());
}

#[test]
fn verifying_reads_every_entry_and_the_manifest() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("board-1x2.table");
    let manifest = Manifest::of(dir.path()).unwrap();
    let verdict = || verify(dir.path(), &manifest).find(|v| v.id == id(1, 2)).unwrap().result;
    assert_eq!(verdict().unwrap_err().reason, Reason::Missing);
    // The bytes the maker makes too: the manifest lists just these.
    fs::write(&path, file(1, 2, 4096)).unwrap();
    let sound = verdict().unwrap();
    assert!(sound.listed);
    assert_eq!(sound.record.values.total(), 12);
    // Sound in itself, but of other blocks than the published one.
    fs::write(&path, file(1, 2, 64)).unwrap();
    assert!(matches!(verdict().unwrap_err().reason, Reason::Unlisted { what: "digest", .. }));
    // Sound in form, false in one value.
    let raw = [0; 6];
    fs::write(&path, tables::pack(id(1, 2), 4096, &raw).unwrap()).unwrap();
    assert!(matches!(verdict().unwrap_err().reason, Reason::Unlisted { what: "values", .. }));
    // Impossible in one value.
    let raw = [0xff; 6];
    fs::write(&path, tables::pack(id(1, 2), 4096, &raw).unwrap()).unwrap();
    assert_eq!(verdict().unwrap_err().reason, Reason::Entry(0));
}

/// Found by `crates/fuzz`.
#[test]
fn a_manifest_is_read_as_it_is_written() {
    let digest = "0".repeat(64);
    for made in ["3 s", "co\\u0001res", "\\r", "\\u007f", "\\t", "\\\"", "\\n", "é"] {
        let text = format!(
            "[board-1x2]\nbytes = 90\nentries = 12\ndigest = \"{digest}\"\nvalues = {{}}\nmade = \"{made}\""
        );
        let manifest = Manifest::parse(&text).unwrap();
        assert_eq!(Manifest::parse(&manifest.to_string()), Ok(manifest), "{made}");
    }
}

#[test]
fn the_manifest_in_the_folder_counts_and_a_broken_one_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let built_in = Manifest::of(dir.path()).unwrap();
    let listed: Vec<TableId> = built_in.iter().map(|(id, _)| id).collect();
    assert!(TableId::default_set().iter().all(|id| listed.contains(id)));
    for (id, record) in built_in.iter() {
        assert_eq!(record.entries, id.entries());
        assert_eq!(record.values.total(), record.entries);
        let most = match id.kind() {
            Kind::Endgame { boxes } => boxes as i16,
            Kind::Board(board) => board.boxes() as i16,
        };
        assert!(record.values.iter().all(|(value, _)| (-most..=most).contains(&value.0)));
    }
    let path = dir.path().join(tables::MANIFEST);
    fs::write(&path, built_in.to_string()).unwrap();
    assert_eq!(Manifest::of(dir.path()), Ok(built_in.clone()));
    fs::write(&path, "").unwrap();
    assert_eq!(Manifest::of(dir.path()), Ok(Manifest::default()));
    for broken in
        ["[", "[board-9x9]\nbytes = 1", "[board-1x1]\nbytes = 1\nentries = 16\ndigest = \"0\"\nvalues = {}"]
    {
        fs::write(&path, broken).unwrap();
        let error = Manifest::of(dir.path()).unwrap_err().to_string();
        assert!(error.contains("manifest.toml") && error.contains("restore it"), "{error}");
    }
}
