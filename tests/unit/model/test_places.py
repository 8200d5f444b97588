"""What a model's expressions are listed as."""

import eomc
from eomc.model.places import all_places, marginal_places, places


def test_one_listing_tells_of_all_places_and_of_vectors_between_points_once() -> None:
    """The listing of both has no other places, and each angular velocity once."""
    model = eomc.load("n_link_pendulum:3")
    apart = [*marginal_places(model), *places(model)]
    together = list(all_places(model))
    assert {(place.words, place.expression) for place in together} == {
        (place.words, place.expression) for place in apart
    }
    turned = [place.words for place in together if "angular velocity" in place.words]
    assert len(turned) == len(set(turned)) == 3
