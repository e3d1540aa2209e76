"""Functions with the names and arguments of other packages: :mod:`countpm.compat.walrus` and :mod:`countpm.compat.networkx`."""
