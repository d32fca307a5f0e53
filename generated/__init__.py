"""The shipped variants as compiled: written by the compiler, never edited by hand."""
