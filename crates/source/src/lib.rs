//! Texts, spans and diagnostics.
