"""Sensitivities: how a motion depends on its start and on parameters.

::

    rates     dx/dt and other functions with their derivatives, at many states at once
    reached   steps, and what they lead to
    steps     the derivative of a step, by scheme; linear has those of Rosenbrock, series those of power series,
              closing projections
    dividing  steps that are too long for changes of the motion
    record    the steps of a run
    jumps     events; sides has dx/dt just before and after one, switching refuses its jumps where there is none
    following products of these derivatives along a run
    result    what users get
    asking    what users call
"""
