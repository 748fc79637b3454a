//! Which names can exist in Kubernetes at all.
//!
//! The host puts a name and a namespace into a URL as they are, so a name with `/`, `?` or `#` would read another
//! object than the one asked for. A name that the API server would never have accepted cannot belong to an object:
//! it counts as absent, and no lookup is made with it.

/// Longest name of an object, in characters (a DNS-1123 subdomain).
const MAX_SUBDOMAIN: usize = 253;
/// Longest name of a namespace, in characters (a DNS-1123 label).
const MAX_LABEL: usize = 63;

/// Whether an object can have this name: a DNS-1123 subdomain, as
/// `k8s.io/apimachinery/pkg/util/validation.IsDNS1123Subdomain` has it.
#[must_use]
pub fn is_object_name(name: &str) -> bool {
    name.len() <= MAX_SUBDOMAIN && is_labels(name, true)
}

/// Whether a namespace can have this name: a DNS-1123 label, as
/// `k8s.io/apimachinery/pkg/util/validation.IsDNS1123Label` has it.
#[must_use]
pub fn is_namespace(name: &str) -> bool {
    name.len() <= MAX_LABEL && is_labels(name, false)
}

/// Whether a text is a label, or, with `dots`, several of them: letters, digits and dashes, no dash at either end.
fn is_labels(text: &str, dots: bool) -> bool {
    let mut previous = b'.';
    for byte in text.bytes() {
        let fits = match byte {
            b'a'..=b'z' | b'0'..=b'9' => true,
            b'-' => previous != b'.',
            b'.' => dots && previous != b'.' && previous != b'-',
            _ => false,
        };
        if !fits {
            return false;
        }
        previous = byte;
    }
    previous != b'.' && previous != b'-'
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("a", true)]
    #[case("vm-disk-ubuntu", true)]
    #[case("linstor.csi.linbit.com", true)]
    #[case("", false)]
    #[case(".", false)]
    #[case("a..b", false)]
    #[case("a.", false)]
    #[case("-a", false)]
    #[case("a-", false)]
    #[case("Upper", false)]
    #[case("#x", false)]
    #[case("?limit=1", false)]
    #[case("a/../b", false)]
    #[case("..%2fsecrets%2ftopsecret", false)]
    #[case("a\nb", false)]
    #[case("é", false)]
    fn object_names(#[case] name: &str, #[case] valid: bool) {
        assert_eq!(is_object_name(name), valid);
    }

    #[test]
    fn lengths() {
        assert!(is_object_name(&"a".repeat(253)));
        assert!(!is_object_name(&"a".repeat(254)));
        assert!(is_namespace(&"a".repeat(63)));
        assert!(!is_namespace(&"a".repeat(64)));
    }

    #[test]
    fn a_namespace_has_no_dots() {
        assert!(!is_namespace("a.b"));
        assert!(!is_namespace("cozy-public/secrets/topsecret?x="));
    }
}
