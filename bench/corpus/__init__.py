"""Large outputs for the benchmarks: written by rule, the same bytes on every machine, in the shapes of real tools."""
