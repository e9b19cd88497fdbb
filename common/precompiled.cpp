// Holds nothing: the precompiled headers belong to a target, and a target needs a source.
