#!python
"""The command ``countpm`` of a wheel: the extension alone, since importing the rest of the package takes longer than most counts."""

import os
import sys
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec

package = find_spec("countpm")
if package is None:
    sys.exit("countpm: this Python has no package countpm; pip install it again")
spec = PathFinder.find_spec("_core", package.submodule_search_locations)
if spec is None or spec.loader is None:  # not beside the rest: installed to be edited
    from countpm import _core as core
else:
    core = module_from_spec(spec)
    spec.loader.exec_module(core)
sys.exit(core.main([b"countpm", *map(os.fsencode, sys.argv[1:])]))
