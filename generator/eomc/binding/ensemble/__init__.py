"""Many runs at once: several states side by side in C, blocks of them in threads.

::

    reductions   what is kept of each run instead of its points
    plan         arguments -> a plan: arrays whose first axis is that of the trajectories, or has length 1
    blocks       some trajectories of a plan, in C
    checkpoint   a file of what is finished
    progress     how far it is
    running      all of them, in blocks, by a crew
    threads      one in this process
    scheduled    one behind a scheduler
    ensembles    what a simulator calls
    result       what users get

A trajectory's bytes depend on nothing but its own start, parameters and inputs: neither on its lane, its block and its
worker nor on its neighbours.
"""
