//! A board cut in two, its edges renumbered half by half, and the quiet fills of a half counted.
//!
//! The cut runs down the middle of the longer side. On 3x4:
//!
//! ```text
//! ·───·───╥───·───·      ─ │  ground: one box beside them. Edges of one box to the ground are as good
//! │   ┆   ║   ┆   │            as one another, so only their number counts.
//! ·┄┄┄·┄┄┄╫┄┄┄·┄┄┄·      ┄ ┆  inner: two boxes of one half
//! │   ┆   ║   ┆   │      ║    cut: one box of either half
//! ·┄┄┄·┄┄┄╫┄┄┄·┄┄┄·
//! │   ┆   ║   ┆   │
//! ·───·───╨───·───·
//! ```
//!
//! Whether a half is quiet depends on its own ground and inner edges and on the cut, and on nothing else: with
//! the ground and the cut given, the two halves are filled independently.

use endgame::MaskBoard;
use game::{Board, BoxId, Edge, Symmetry};

/// No fill has this number: a half has at most 12 inner edges, 4,096 fills.
const NOT_QUIET: u16 = u16::MAX;

/// A run of bits in a mask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Field {
    pub(crate) shift: u32,
    bits: u32,
}

impl Field {
    /// The value of the field in a mask.
    pub(crate) const fn of(self, mask: u64) -> usize {
        (mask >> self.shift & ((1 << self.bits) - 1)) as usize
    }

    /// The mask with this value in the field and zeros elsewhere.
    pub(crate) const fn put(self, value: usize) -> u64 {
        (value as u64) << self.shift
    }

    /// How many values the field has.
    pub(crate) const fn values(self) -> usize {
        1 << self.bits
    }

    const fn after(self, bits: usize) -> Field {
        Field { shift: self.shift + self.bits, bits: bits as u32 }
    }
}

/// One half of a board.
#[derive(Debug)]
pub(crate) struct Half {
    pub(crate) inner: Field,
    pub(crate) ground: Field,
    /// How many ways the ground edges of the half can lie, counted box by box.
    pub(crate) grounds: usize,
    /// By the ground field: which of these ways.
    ground_of: Vec<u16>,
    /// By way: the ground field with, at each box, the first edges drawn.
    ground_bits: Vec<u16>,
    cuts: usize,
    /// By way, cut and inner field: the number of the fill among the quiet ones.
    numbers: Vec<u16>,
    /// By way and cut: where its quiet fills begin in `fills`.
    starts: Vec<u32>,
    fills: Vec<u16>,
}

impl Half {
    /// Which way the ground edges of the mask lie.
    pub(crate) fn ground(&self, mask: u64) -> usize {
        self.ground_of[self.ground.of(mask)].into()
    }

    /// The ground edges of a way, the first edges of each box drawn.
    pub(crate) fn ground_mask(&self, ground: usize) -> u64 {
        self.ground.put(self.ground_bits[ground].into())
    }

    /// The quiet fills, ascending.
    pub(crate) fn fills(&self, ground: usize, cut: usize) -> &[u16] {
        let at = ground * self.cuts + cut;
        &self.fills[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// The number of a fill among the quiet ones.
    pub(crate) fn number(&self, ground: usize, cut: usize, mask: u64) -> u32 {
        let number = self.numbers[(ground * self.cuts + cut) << self.inner.bits | self.inner.of(mask)];
        debug_assert_ne!(number, NOT_QUIET);
        number.into()
    }

    fn new(inner: Field, ground: Field, cut: Field, boxes: &[u64]) -> Half {
        // The ground as a number in mixed radix, a digit for each box: how many of its ground edges are drawn.
        let digits: Vec<(usize, usize)> =
            boxes.iter().map(|&sides| ground.of(sides)).map(|g| (g, g.count_ones() as usize + 1)).collect();
        let grounds = digits.iter().map(|&(_, radix)| radix).product();
        let ground_of: Vec<u16> = (0..ground.values())
            .map(|bits| {
                digits.iter().fold(0, |n, &(g, radix)| n * radix + (bits & g).count_ones() as usize) as u16
            })
            .collect();
        let mut ground_bits = vec![0; grounds];
        // The first edges of a box are the low ones, so the first field of each way is the one wanted.
        for (bits, &way) in ground_of.iter().enumerate().rev() {
            ground_bits[usize::from(way)] = bits as u16;
        }
        let cuts = cut.values();
        let fills_of = inner.values();
        let mut half = Half {
            inner,
            ground,
            grounds,
            ground_of,
            ground_bits,
            cuts,
            numbers: vec![NOT_QUIET; (grounds * cuts) << inner.bits],
            starts: vec![0],
            fills: Vec::new(),
        };
        // By box and count: the fills that draw so many of its sides.
        let drawing: Vec<[Vec<u64>; 5]> = boxes
            .iter()
            .map(|&sides| {
                let mut sets: [Vec<u64>; 5] = std::array::from_fn(|_| vec![0; fills_of.div_ceil(64)]);
                for fill in 0..fills_of {
                    let drawn = (fill & inner.of(sides)).count_ones() as usize;
                    sets[drawn][fill / 64] |= 1 << (fill % 64);
                }
                sets
            })
            .collect();
        let mut loud = vec![0; fills_of.div_ceil(64)];
        for way in 0..grounds {
            for across in 0..cuts {
                let given = half.ground_mask(way) | cut.put(across);
                loud.fill(0);
                for (&sides, drawing) in boxes.iter().zip(&drawing) {
                    let drawn = (sides & given).count_ones() as usize;
                    for (loud, &more) in
                        loud.iter_mut().zip(3usize.checked_sub(drawn).map_or(&[][..], |n| &drawing[n]))
                    {
                        *loud |= more;
                    }
                }
                let at = (way * cuts + across) << inner.bits;
                let quiet = (0..fills_of).filter(|fill| loud[fill / 64] >> (fill % 64) & 1 == 0);
                for (number, fill) in quiet.enumerate() {
                    half.numbers[at + fill] = number as u16;
                    half.fills.push(fill as u16);
                }
                half.starts.push(half.fills.len() as u32);
            }
        }
        half
    }
}

/// A board cut in two.
#[derive(Debug)]
pub(crate) struct Halves {
    pub(crate) left: Half,
    pub(crate) right: Half,
    pub(crate) cut: Field,
    /// The edge of each bit.
    pub(crate) edges: Vec<Edge>,
    /// The board in bits.
    pub(crate) lines: MaskBoard,
    /// The board's symmetries, the identity first, as images of bytes of a mask.
    images: Vec<Permutation>,
}

impl Halves {
    /// The halves of a board of up to 40 edges with no more rows than columns.
    pub(crate) fn new(board: Board) -> Halves {
        let middle = board.cols() / 2;
        let is_left = |b: BoxId| board.place(b).1 < middle;
        // Of an edge: 0 right inner, 1 left inner, 2 cut, 3 right ground, 4 left ground.
        let kind = |e: Edge| match board.touching(e) {
            [Some(a), Some(b)] if is_left(a) != is_left(b) => 2,
            [Some(b), Some(_)] => usize::from(is_left(b)),
            [b, c] => b.or(c).map_or(3, |b| 3 + usize::from(is_left(b))),
        };
        let mut edges: Vec<Edge> = board.all_edges().collect();
        // The ground edges of one box side by side.
        edges.sort_by_key(|&e| (kind(e), board.touching(e).into_iter().flatten().next().map(BoxId::index)));
        let count = |of: usize| edges.iter().filter(|&&e| kind(e) == of).count();
        let right_inner = Field { shift: 0, bits: count(0) as u32 };
        let left_inner = right_inner.after(count(1));
        let cut = left_inner.after(count(2));
        let right_ground = cut.after(count(3));
        let left_ground = right_ground.after(count(4));
        let mut bit_of = vec![0u8; edges.len()];
        for (bit, e) in edges.iter().enumerate() {
            bit_of[e.index()] = bit as u8;
        }
        let sides = |b: BoxId| board.sides(b).into_iter().fold(0, |mask, e| mask | 1 << bit_of[e.index()]);
        let half = |left: bool, inner, ground| {
            let boxes: Vec<u64> = board.all_boxes().filter(|&b| is_left(b) == left).map(sides).collect();
            Half::new(inner, ground, cut, &boxes)
        };
        let images = Symmetry::of(board).map(|s| {
            let image: Vec<u8> = edges.iter().map(|&e| bit_of[s.edge(board, e).index()]).collect();
            Permutation::new(&image)
        });
        Halves {
            left: half(true, left_inner, left_ground),
            right: half(false, right_inner, right_ground),
            cut,
            images: images.collect(),
            lines: MaskBoard::new(board.all_boxes().map(sides).collect()),
            edges,
        }
    }

    /// How many symmetries the board has.
    pub(crate) const fn symmetries(&self) -> usize {
        self.images.len()
    }

    /// The image of a mask; symmetry 0 is the identity.
    pub(crate) fn image(&self, mask: u64, symmetry: usize) -> u64 {
        self.images[symmetry].apply(mask)
    }
}

/// A permutation of the bits of a mask, a byte at a time.
#[derive(Debug)]
pub(crate) struct Permutation(Vec<[u64; 256]>);

impl Permutation {
    /// The permutation that sends bit `i` to bit `image[i]`.
    pub(crate) fn new(image: &[u8]) -> Permutation {
        let byte = |bits: &[u8]| {
            std::array::from_fn(|byte| {
                let set = bits.iter().enumerate().filter(|&(i, _)| byte >> i & 1 == 1);
                set.fold(0, |mask, (_, &to)| mask | 1 << to)
            })
        };
        Permutation(image.chunks(8).map(byte).collect())
    }

    /// The image of a bit.
    pub(crate) fn bit(&self, bit: usize) -> u64 {
        self.0.get(bit / 8).map_or(0, |bytes| bytes[1 << (bit % 8)])
    }

    /// The image of a mask.
    #[inline]
    pub(crate) fn apply(&self, mask: u64) -> u64 {
        self.0.iter().enumerate().fold(0, |image, (i, bytes)| image | bytes[(mask >> (8 * i) & 255) as usize])
    }
}
