//! File-driven end-to-end cases.
