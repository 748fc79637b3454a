//! The parameter `layerList` (`ParseLayerList` in `pkg/volume/parameter.go`).

/// What a layer list says about remote access while the access parameter is unset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layers {
    /// It has a layer that can be reached over the network.
    Remote,
    /// It has none.
    Local,
    /// The driver rejects it.
    Invalid,
}

impl Layers {
    /// Reads the value. It is split at single blanks, so that two of them enclose an (unknown) empty layer.
    pub(super) fn parse(value: &str) -> Self {
        let mut result = Self::Local;
        for layer in value.split(' ') {
            let is = |known: &str| layer.chars().map(fold).eq(known.chars());
            if is("drbd") || is("nvme") {
                result = Self::Remote;
            } else if !["storage", "luks", "cache", "writecache"].into_iter().any(is) {
                return Self::Invalid;
            }
        }
        result
    }
}

/// Go's `strings.EqualFold`, as far as it leads into ASCII.
fn fold(char: char) -> char {
    match char {
        '\u{17f}' => 's',
        '\u{212a}' => 'k',
        _ => char.to_ascii_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("drbd storage", Layers::Remote)]
    #[case("storage luks nvme", Layers::Remote)]
    #[case("CaChE WriteCache LUKS storage", Layers::Local)]
    #[case("ſtorage lu\u{212a}s", Layers::Local)]
    #[case("", Layers::Invalid)]
    #[case("drbd  storage", Layers::Invalid)]
    #[case("drbd,storage", Layers::Invalid)]
    #[case("drbd\tstorage", Layers::Invalid)]
    #[case("drbd exos", Layers::Invalid)]
    fn a_list_is_read_as_the_driver_reads_it(#[case] value: &str, #[case] expected: Layers) {
        assert_eq!(Layers::parse(value), expected);
    }
}
