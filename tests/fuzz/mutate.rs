//! Changes bytes at random, the same way every time.

/// Pieces that readers find hard.
const PIECES: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\"",
    "\\",
    "//",
    "/*",
    "*/",
    "r#\"",
    "'",
    "\0",
    "\u{feff}",
    "\u{202e}",
    "é",
    "🐟",
    "-",
    "NaN",
    "inf",
    "-inf",
    "1e999",
    "-0.0",
    "1e-320",
    "99999999999999999999",
    "0x",
    "0b",
    ".",
    "..",
    "...",
    "nil",
    "end",
    "function",
    "return",
    "while true do end",
    "\u{1b}[31m",
    "\r\n",
    "\t",
    "None",
    "Some(",
    "((((((((((((((((",
    "}}}}",
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    "--[[",
    "]]",
    "setmetatable",
    "yard.",
    "math.huge",
    "p.",
    "%",
    "=",
    "`{",
    "}`",
    "@native",
];

/// A small counter-based generator (splitmix64).
pub(crate) struct Mutator {
    state: u64,
}

impl Mutator {
    /// The changes of one case of one file.
    pub(crate) fn new(name: &str, case: u64) -> Self {
        let hash = name
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        Self { state: hash ^ case.wrapping_mul(0x9e37_79b9_7f4a_7c15) }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    /// A changed copy: one to four changes.
    pub(crate) fn mutate(&mut self, bytes: &[u8], donor: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for _ in 0..=self.below(4) {
            self.change(&mut bytes, donor);
        }
        bytes
    }

    fn change(&mut self, bytes: &mut Vec<u8>, donor: &[u8]) {
        let at = self.below(bytes.len() + 1);
        let length = 1 + self.below(24);
        let end = (at + length).min(bytes.len());
        match self.below(9) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let copy = bytes[at..end].to_vec();
                let to = self.below(bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
            3 => bytes[at..end].reverse(),
            4 => {
                let byte = self.next() as u8;
                if let Some(target) = bytes.get_mut(at) {
                    *target = byte;
                }
            }
            5 => self.number(bytes),
            6 => {
                let from = self.below(donor.len() + 1);
                let to = (from + 1 + self.below(200)).min(donor.len());
                bytes.splice(at..end, donor[from..to].iter().copied());
            }
            _ => {
                let piece = PIECES[self.below(PIECES.len())];
                let end = if self.below(2) == 0 { at } else { end };
                bytes.splice(at..end, piece.bytes());
            }
        }
    }

    /// Another number where one stands.
    fn number(&mut self, bytes: &mut Vec<u8>) {
        let digits: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()).collect();
        if digits.is_empty() {
            return;
        }
        let at = digits[self.below(digits.len())];
        let choices =
            ["-1", "0", "1e300", "-1e300", "1e-300", "4294967296", "0.1", "nan", "inf", "18446744073709551616"];
        let choice = choices[self.below(choices.len())];
        bytes.splice(at..=at, choice.bytes());
    }
}
