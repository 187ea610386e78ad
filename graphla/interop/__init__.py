"""graphla and other libraries, one file or folder each; each imports its library only when used."""
