"""Sensitivities: how a motion depends on its start and on parameters.

::

    rates     dx/dt and its derivatives, at many states at once
    steps     the derivative of a step, by scheme
    record    the steps of a run
    following products of these derivatives along a run
    result    what users get
    asking    what users call
"""
