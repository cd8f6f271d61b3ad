use game::*;
use search::*;
use std::sync::atomic::AtomicBool;
fn main() {
    let a: Vec<u32> = std::env::args().skip(1).map(|x| x.parse().unwrap()).collect();
    let b = Board::new(a[0], a[1]).unwrap();
    let mode = a.get(2).copied().unwrap_or(0);
    let threads = a.get(3).copied().unwrap_or(1) as usize;
    let mut p = Position::empty(b);
    if mode >= 1 {
        for c in 0..b.cols() {
            p.draw(b.h(0, c));
        }
        for r in 0..b.rows() {
            p.draw(b.v(r, 0));
        }
    }
    if mode >= 2 {
        for c in 0..b.cols() {
            p.draw(b.h(b.rows(), c));
        }
        for r in 0..b.rows() {
            p.draw(b.v(r, b.cols()));
        }
    }
    let mut s = Solver::new(&p, Config { threads, table_bytes: 4 << 30 }).unwrap();
    s.start(Budget::UNLIMITED);
    let c = AtomicBool::new(false);
    println!("{b} {mode} {} {:?}", s.value(&c), s.stats());
}
