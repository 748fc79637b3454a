//! A waPC host that answers from manifests.
