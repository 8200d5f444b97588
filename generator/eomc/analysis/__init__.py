"""What is asked of a model or a build beside its code.

::

    initial        coordinates, speeds -> the state of a method, on the constraints
    assembly       Newton's method that closes loops; speeds that meet constraints
    scales         how large a change of each unknown is, in its own unit
    velocities     speeds from given q' and u
    linearization  A, B, C, D about a state; steadiness: which rates vanish there
    agreement      emitted C against the reference; the references of the methods against each other
    balance        the energy of a run against its work; following: the same while it is made
"""
