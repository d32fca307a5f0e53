"""C texts as loaded libraries: which compiler there is, where libraries are kept, how one is built."""
