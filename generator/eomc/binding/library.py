"""The compiled model behind cffi's ABI mode: no Python headers, no extension module.

The declarations here are also the first lines of the shim (``templates/binding/shim.c.jinja``), so both sides read the
same text. They do not depend on the model: a model is what ``eomc_model()`` points at.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eomc.errors import BuildError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DECLARATIONS = """\
/* Where one call reads and writes: state, accelerations, inputs, constants, scratch, result. */
typedef struct {
    const eomc_real *x;
    const eomc_real *dv;
    const eomc_real *r;
    const void *c;
    void *work;
    eomc_real *out;
} eomc_call;

typedef int (*eomc_function)(double t, const eomc_call *call);

typedef struct {
    const char *name;
    int64_t size;
    eomc_function call;
} eomc_entry;

typedef struct {
    int64_t real_size;
    int64_t nx;
    int64_t nr;
    int64_t np;
    int64_t inputs_size;
    int64_t constants_size;
    int64_t work_size;
    int64_t lanes; /* of eomc_many_side_by_side; 0 where the model has no such function */
    int64_t function_count;
    const eomc_entry *functions;
    const eomc_real *default_parameters;
    const eomc_real *default_inputs;
    const eomc_real *initial_state;
} eomc_interface;

/* What a run takes: tolerances, lengths of steps, where inputs come from; the order of kinds is that of the model. */
typedef struct {
    double rtol;
    const eomc_real *atols;
    double first_step;
    double largest_step;
    int64_t most_steps;
    int64_t kind; /* of the source: held, steps, lines, called */
    const eomc_real *values;
    const eomc_real *times;
    int64_t count;
    int (*function)(double t, eomc_real *r);
    const eomc_real *jumps;
    int64_t jump_count;
    const void *c;
    void *work;
} eomc_setup;

/* Ends of steps, and states at times that are asked for. */
typedef struct {
    int64_t room;
    int64_t steps; /* of which the ends are here */
    double *t;
    eomc_real *x;
    int64_t asked;
    int64_t passed; /* of those asked for */
    const double *t_asked;
    eomc_real *x_asked;
    int *event; /* of each step: -1, or the number of the event that it is the state after */
    double t_now;
    int64_t tried;
    int64_t rounded; /* steps whose error was rounding, and more than the tolerance */
    int which; /* the event of the last call that failed */
    int goes_on;
    int ended; /* by an event */
} eomc_rows;

const eomc_interface *eomc_model(void);

int eomc_prepare(const eomc_real *parameters, void *constants);
const char *eomc_failed(const void *work);
const char *eomc_failed_constants(const void *constants);
int64_t eomc_many(eomc_function function, int64_t size, int64_t count, const double *t, int64_t t_stride,
                  const eomc_real *x, const eomc_real *dv, int64_t dv_stride, const eomc_real *r, int64_t r_stride,
                  const void *c, void *work, eomc_real *out, int64_t *first_failed);
int64_t eomc_many_side_by_side(int64_t count, const double *t, int64_t t_stride, const eomc_real *x,
                               const eomc_real *r, int64_t r_stride, const void *c, void *work, eomc_real *out,
                               int64_t *first_failed);
int64_t eomc_steps(double t0, double h, int64_t first, int64_t count, const eomc_real *r, int64_t r_stride,
                   const void *c, void *scratch, eomc_real *x, eomc_real *passed, int *diverged);
int64_t eomc_run_size(void);
int eomc_run_start(double t0, const eomc_real *x0, const eomc_setup *setup, void *memory);
void eomc_run_jumped(void *memory);
int eomc_run_steps(double t_end, const eomc_setup *setup, void *memory, eomc_rows *rows);
int64_t eomc_series_size(void);
int eomc_expand(int64_t count, const double *t, const double *h, eomc_real *r, const double *scales,
                const double *nothing, double tolerance, const void *c, void *work,
                eomc_real *series, eomc_real *x, int64_t *failed);
int eomc_project(double t, eomc_real *x, const eomc_real *r, const void *c, void *work);
int eomc_reset(int which, double t, eomc_real *x, const eomc_real *r, const void *c, void *work);
int eomc_step_jacobian(double t, double h, eomc_real *x, const eomc_real *r, const void *c, void *work, eomc_real *F,
                       eomc_real *G);
int eomc_close_start(double t, eomc_real *x, const eomc_real *r, const void *c, void *work, double *by);
int eomc_repeat(eomc_function function, int64_t count, double t, const eomc_call *call);

/* Where inputs come from that are not known for each step; the order of kinds is that of the model. */
typedef struct {
    const int32_t *kind; /* of each: held, steps, lines, called */
    const int64_t *begin; /* the first row of each, and the end of the last */
    int64_t stride; /* 0: common to all trajectories */
    int64_t moving; /* whether one is not held */
    const double *times;
    const double *rows;
    const eomc_real *real_times; /* the same, as the model has them */
    const eomc_real *real_rows;
    const double *shares; /* when a fixed step takes inputs, in steps from its beginning */
    int (*function)(int64_t which, double t, eomc_real *r);
} eomc_feeds;

/* Trajectories, and some of their steps: the kth begins at t0 + (offset + k) h. Strides are 0 for what is common. */
typedef struct {
    int64_t count;
    const eomc_real *parameters;
    int64_t parameters_stride;
    const eomc_real *inputs; /* that fixed steps take */
    int64_t input_strides[3]; /* by trajectory, step, place in the step */
    const eomc_real *inputs_at; /* at the ends of the steps */
    int64_t input_at_strides[2]; /* by trajectory, step */
    const eomc_feeds *feeds; /* in place of these two */
    double t0;
    double h;
    double t_end; /* of the last of these steps */
    int64_t offset;
    int64_t first; /* number of the first step in the run */
    int64_t steps;
    eomc_real *x; /* (count, nx) */
    int32_t *status; /* 0 for those that go on */
    int64_t *failed_in; /* number of the step that was not taken */
    double *kept; /* each `every`-th state; row 0 is the start */
    int64_t kept_stride;
    int64_t every; /* 0: none */
    const int32_t *column; /* values that are reduced: states, then outputs */
    int64_t columns;
    int64_t outputs; /* whether outputs are among them */
    const int32_t *kind;
    const int32_t *reduced_column; /* index into `column` */
    int64_t reductions;
    double *reduced; /* (count, reductions) */
    const int32_t *happening; /* an event, and which of its times; 0: how many there are */
    int64_t happenings;
    double *happened; /* (count, happenings) */
    double *scratch; /* 2 columns + reductions, for each lane */
    const eomc_setup *setup; /* of steps that follow from a tolerance: points are h apart, the last by `last` */
    double last;
    int64_t points;
    double *t_failed;
    eomc_real *remembered; /* of implicit steps: slopes, and what sums lost, for each trajectory */
    double taken; /* length of the step before the first of these; 0 for none */
    void *work; /* eomc_group_size bytes */
} eomc_ensemble;

int64_t eomc_group_size(void);
int64_t eomc_group_lanes(void);
void eomc_advance(const eomc_ensemble *e);
void eomc_adapt_start(const eomc_ensemble *e);
int64_t eomc_adapt(const eomc_ensemble *e);
int64_t eomc_close_starts(const eomc_ensemble *e);
"""


@dataclass(frozen=True, slots=True)
class Library:
    """An opened library: cffi's view of it and what it says about itself."""

    ffi: Any
    lib: Any
    real: str  # "double" or "float"
    functions: dict[str, Any]  # name -> eomc_entry
    model: Any  # eomc_interface

    def pointer(self, array: NDArray[Any], kind: str = "eomc_real *") -> Any:
        """Return the address of a contiguous array, which the caller keeps alive."""
        return self.ffi.cast(kind, self.ffi.from_buffer(array))

    def label(self, work: Any) -> str:
        """Return the name of the pivot that failed in the last call with this work struct; "" if it has none."""
        return self._text(self.lib.eomc_failed(work))

    def label_of_constants(self, constants: Any) -> str:
        """Return the name of the pivot that failed while preparing these constants; "" if it has none."""
        return self._text(self.lib.eomc_failed_constants(constants))

    def array(self, pointer: Any, length: int) -> NDArray[Any]:
        """Return a copy of reals that the C keeps."""
        import numpy as np

        return np.array(self.ffi.unpack(pointer, length), dtype=np.float64)

    def _text(self, characters: Any) -> str:
        text: bytes = self.ffi.string(characters)
        return text.decode()


def declarations() -> str:
    """Return the C declarations that shim and cffi share; ``eomc_real`` comes before them."""
    return _DECLARATIONS


def open_library(path: Path, real: str) -> Library:
    """Load a compiled model.

    Raises
    ------
    BuildError
        The system's loader refuses the file, or it was compiled for another real type.
    """
    ffi = _interface(real)
    try:
        lib = ffi.dlopen(str(path))
        model = lib.eomc_model()
    except (OSError, AttributeError) as error:
        raise BuildError(
            f"the compiled model cannot be loaded: {error}; check CC and CFLAGS, or delete the file"
        ) from error
    if model.real_size != ffi.sizeof(real):
        raise BuildError(f"{path} was not compiled for {real}; delete it")
    entries = [model.functions[index] for index in range(model.function_count)]
    functions = {ffi.string(entry.name).decode(): entry for entry in entries}
    return Library(ffi, lib, real, functions, model)


@functools.cache
def _interface(real: str) -> Any:
    """Return the parsed declarations; parsing takes longer than everything else here."""
    import cffi

    ffi = cffi.FFI()
    ffi.cdef(f"typedef {real} eomc_real;\n{_DECLARATIONS}")
    return ffi
