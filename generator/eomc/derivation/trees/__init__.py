"""Kane's equations of trees of joints, arranged recursively: preparation of the rows, and the recursions over them."""
