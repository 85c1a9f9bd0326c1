//! SHA-256 in lower-case hexadecimal.

use sha2::Digest;

/// Bytes per call of the compression function. Browsers run WebAssembly in slow baseline code until optimised code is
/// ready, and a running call does not switch: the first 4 MB take 740 ms in one call, and 45 ms in pieces.
const PIECE: usize = 1024;

/// An incremental hash.
#[derive(Clone, Debug, Default)]
pub struct Sha256(sha2::Sha256);

impl Sha256 {
    pub fn update(&mut self, bytes: &[u8]) {
        for piece in bytes.chunks(PIECE) {
            self.0.update(piece);
        }
    }

    pub fn hex(self) -> String {
        self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The hash of some bytes.
pub fn sha256_hex(bytes: &[u8]) -> String {
    let mut hash = Sha256::default();
    hash.update(bytes);
    hash.hex()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 180-4, the examples of the appendix to SHA-256; the long one spans many pieces.
    #[test]
    fn the_examples_of_the_standard() {
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256_hex(b"abc"), expected);
        let expected = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
        assert_eq!(sha256_hex(&vec![b'a'; 1_000_000]), expected);
    }
}
