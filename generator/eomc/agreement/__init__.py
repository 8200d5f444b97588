"""Do the emitted C and the reference agree? Samples, sizes of terms, the comparison."""

from eomc.agreement.comparing import TOLERANCE, Agreement, Comparison, compare
from eomc.agreement.judging import Verdict, judge
from eomc.agreement.sampling import CONDITION_LIMIT, Samples, draw

__all__ = [
    "CONDITION_LIMIT",
    "TOLERANCE",
    "Agreement",
    "Comparison",
    "Samples",
    "Verdict",
    "compare",
    "draw",
    "judge",
]
