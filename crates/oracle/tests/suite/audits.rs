//! An audit finds a false entry under right checksums, and nothing in a sound table.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use game::Board;
use oracle::{Audit, audit};
use tables::{BLOCK_BYTES, QuietRanking, Table, TableId, pack};

use crate::{FOLDER, GO_ON};

fn table(name: &str) -> Table<Vec<u8>> {
    let id: TableId = name.parse().unwrap();
    Table::open(std::fs::read(FOLDER.join(id.file_name())).unwrap(), id, usize::MAX).unwrap()
}

#[test]
fn sound_tables_agree_with_everybody() {
    for name in ["board-2x2", "board-2x3", "board-1x5", "endgame-20"] {
        let table = table(name);
        let told = AtomicU64::new(0);
        let advanced = |done| {
            told.fetch_max(done, Ordering::Relaxed);
        };
        let all = audit(&table, None, &advanced, &GO_ON).unwrap();
        assert_eq!(all.entries, table.container().header().entries);
        assert_eq!(told.into_inner(), all.entries);
        if name.starts_with("board") {
            assert!(all.theory > 0 && all.searched > 0, "{name} {all:?}");
        }
        let some = audit(&table, Some(100), &|_| {}, &GO_ON).unwrap();
        assert_eq!(some.entries, 100);
    }
    assert_eq!(audit(&table("board-3x3"), None, &|_| {}, &AtomicBool::new(true)), Ok(Audit::default()));
}

/// The raw entries of a board's table with one of them changed to another that is possible.
#[test]
fn one_false_entry_is_found_wherever_it_is() {
    let id: TableId = "board-2x2".parse().unwrap();
    let ranking = QuietRanking::new(Board::new(2, 2).unwrap());
    let Table::Board(sound) = table("board-2x2") else { panic!("a board's table") };
    let left = |mask| ranking.position(mask).boxes_left() as i16;
    let wins: Vec<u8> = ranking
        .masks()
        .map(|mask| ((left(mask) + sound.probe(&ranking.position(mask)).unwrap().0) / 2) as u8)
        .collect();
    for (at, mask) in ranking.masks().enumerate() {
        let mut wins = wins.clone();
        if left(mask) == 0 {
            continue; // Nothing else is possible.
        }
        wins[at] = if wins[at] == 0 { 1 } else { wins[at] - 1 };
        let raw: Vec<u8> = wins.chunks(2).map(|pair| pair[0] | pair.get(1).unwrap_or(&0) << 4).collect();
        let forged = Table::open(pack(id, BLOCK_BYTES, &raw).unwrap(), id, usize::MAX).unwrap();
        let found = audit(&forged, None, &|_| {}, &GO_ON).unwrap_err();
        assert!(found.to_string().contains("2x2"), "{found}");
    }
}
