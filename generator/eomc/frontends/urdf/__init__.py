"""URDF: from a robot's description to a tree of joints.

::

    file -> markup (XML) -> elements (links, joints) -> Robot, with findings -> links and joints of a tree

Source of the format: the XML specification of URDF in the documentation of ROS.
"""
