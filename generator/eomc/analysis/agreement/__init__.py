"""Do the emitted C and the reference agree? Samples, sizes of terms, the comparison."""

from eomc.analysis.agreement.comparing import TOLERANCE, Agreement, Comparison, compare, compare_all
from eomc.analysis.agreement.judging import Verdict, judge
from eomc.analysis.agreement.sampling import CONDITION_LIMIT, Samples, draw

__all__ = [
    "CONDITION_LIMIT",
    "TOLERANCE",
    "Agreement",
    "Comparison",
    "Samples",
    "Verdict",
    "compare",
    "compare_all",
    "draw",
    "judge",
]
