//! Kubernetes quantities (`10Gi`, `5e9`, `1.5Gi`), as `k8s.io/apimachinery/pkg/api/resource` parses them.

use std::cmp::Ordering;

/// An amount of storage: exact, and with the text that the person wrote.
#[derive(Debug, Clone)]
pub struct Quantity {
    text: String,
    /// Billionths of a byte: the smallest unit a quantity can have. Saturates.
    nanos: i128,
}

/// The text is not a quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a quantity")]
pub struct NotAQuantity;

impl Quantity {
    /// Parses a quantity.
    ///
    /// # Errors
    /// The text is not a quantity.
    pub fn parse(text: &str) -> Result<Self, NotAQuantity> {
        let _ = text;
        Err(NotAQuantity) // to be written
    }

    /// A quantity of whole bytes.
    #[must_use]
    pub fn from_bytes(bytes: i128) -> Self {
        Self { text: bytes.to_string(), nanos: bytes.saturating_mul(1_000_000_000) }
    }

    /// The amount in bytes, a fraction rounded up (as `Quantity.Value()` does).
    #[must_use]
    pub fn bytes(&self) -> i128 {
        self.nanos.div_euclid(1_000_000_000) + i128::from(self.nanos.rem_euclid(1_000_000_000) != 0)
    }

    /// The text that the person wrote.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.nanos == other.nanos
    }
}

impl Eq for Quantity {}

impl PartialOrd for Quantity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Quantity {
    fn cmp(&self, other: &Self) -> Ordering {
        self.nanos.cmp(&other.nanos)
    }
}
