"""What robots from files of any format have in common, between the reader of a format and the model.

::

    links and joints of numbers -> bodies, drawn and checked; parameters; torques, friction -> tree -> Model

Readers stand beside it: `urdf`, `mjcf`. None of them imports another one.
"""
