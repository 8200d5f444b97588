"""Words that no name of a model may be in C: keywords, macros, functions and types of C99 and C++.

Macros are the worst: a struct member of that name does not compile. Listed are those of all headers of C99, and what
glibc's versions of the headers that the emitted files include define in any dialect; families of them are patterns.
"""

from __future__ import annotations

import re

_KEYWORDS = frozenset(
    """
    auto break case char const continue default do double else enum extern float for goto if inline int long register
    restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
    _Alignas _Alignof _Atomic _Bool _Complex _Generic _Imaginary _Noreturn _Static_assert _Thread_local
    alignas alignof and and_eq asm atomic_cancel atomic_commit atomic_noexcept bitand bitor bool catch char8_t char16_t
    char32_t class co_await co_return co_yield compl concept const_cast consteval constexpr constinit decltype delete
    dynamic_cast explicit export false final friend import module mutable namespace new noexcept not not_eq nullptr
    operator or or_eq override private protected public reflexpr reinterpret_cast requires static_assert static_cast
    synchronized template this thread_local throw true try typeid typename typeof typeof_unqual using virtual wchar_t
    xor xor_eq
    """.split()
)
_MACROS = frozenset(
    """
    AIO_PRIO_DELTA_MAX BC_BASE_MAX BC_DIM_MAX BC_SCALE_MAX BC_STRING_MAX BIG_ENDIAN BUFSIZ BYTE_ORDER
    CHARCLASS_NAME_MAX CLOCKS_PER_SEC COLL_WEIGHTS_MAX DECIMAL_DIG DELAYTIMER_MAX DOMAIN E2BIG EACCES EADDRINUSE
    EADDRNOTAVAIL EADV EAFNOSUPPORT EAGAIN EALREADY EBADE EBADF EBADFD EBADMSG EBADR EBADRQC EBADSLT EBFONT
    EBUSY ECANCELED ECHILD ECHRNG ECOMM ECONNABORTED ECONNREFUSED ECONNRESET EDEADLK EDEADLOCK EDESTADDRREQ EDOM
    EDOTDOT EDQUOT EEXIST EFAULT EFBIG EHOSTDOWN EHOSTUNREACH EHWPOISON EIDRM EILSEQ EINPROGRESS EINTR EINVAL
    EIO EISCONN EISDIR EISNAM EKEYEXPIRED EKEYREJECTED EKEYREVOKED EL2HLT EL2NSYNC EL3HLT EL3RST ELIBACC ELIBBAD
    ELIBEXEC ELIBMAX ELIBSCN ELNRNG ELOOP EMEDIUMTYPE EMFILE EMLINK EMSGSIZE EMULTIHOP ENAMETOOLONG ENAVAIL
    ENETDOWN ENETRESET ENETUNREACH ENFILE ENOANO ENOBUFS ENOCSI ENODATA ENODEV ENOENT ENOEXEC ENOKEY ENOLCK
    ENOLINK ENOMEDIUM ENOMEM ENOMSG ENONET ENOPKG ENOPROTOOPT ENOSPC ENOSR ENOSTR ENOSYS ENOTBLK ENOTCONN
    ENOTDIR ENOTEMPTY ENOTNAM ENOTRECOVERABLE ENOTSOCK ENOTSUP ENOTTY ENOTUNIQ ENXIO EOF EOPNOTSUPP EOVERFLOW
    EOWNERDEAD EPERM EPFNOSUPPORT EPIPE EPROTO EPROTONOSUPPORT EPROTOTYPE ERANGE EREMCHG EREMOTE EREMOTEIO
    ERESTART ERFKILL EROFS ESHUTDOWN ESOCKTNOSUPPORT ESPIPE ESRCH ESRMNT ESTALE ESTRPIPE ETIME ETIMEDOUT
    ETOOMANYREFS ETXTBSY EUCLEAN EUNATCH EUSERS EWOULDBLOCK EXDEV EXFULL EXIT_FAILURE EXIT_SUCCESS EXPR_NEST_MAX
    FD_CLR FD_ISSET FD_SET FD_SETSIZE FD_ZERO FILENAME_MAX FOPEN_MAX HOST_NAME_MAX I INFINITY IOV_MAX LINE_MAX
    LITTLE_ENDIAN LOGIN_NAME_MAX L_ctermid L_cuserid L_tmpnam MATH_ERREXCEPT MATH_ERRNO MAXFLOAT MAX_CANON
    MAX_INPUT MB_CUR_MAX MB_LEN_MAX MQ_PRIO_MAX NAME_MAX NAN NFDBITS NGROUPS_MAX NL_ARGMAX NL_LANGMAX NL_MSGMAX
    NL_NMAX NL_SETMAX NL_TEXTMAX NULL NZERO ONCE_FLAG_INIT OVERFLOW PATH_MAX PDP_ENDIAN PIPE_BUF PLOSS
    PTHREAD_DESTRUCTOR_ITERATIONS PTHREAD_KEYS_MAX PTHREAD_STACK_MIN P_tmpdir RAND_MAX RENAME_EXCHANGE
    RENAME_NOREPLACE RENAME_WHITEOUT RE_DUP_MAX RTSIG_MAX SEEK_CUR SEEK_DATA SEEK_END SEEK_HOLE SEEK_SET
    SEM_VALUE_MAX SIGABRT SIGALRM SIGBUS SIGCHLD SIGCLD SIGCONT SIGFPE SIGHUP SIGILL SIGINT SIGIO SIGIOT SIGKILL
    SIGPIPE SIGPOLL SIGPROF SIGPWR SIGQUIT SIGRTMAX SIGRTMIN SIGSEGV SIGSTKFLT SIGSTOP SIGSYS SIGTERM SIGTRAP
    SIGTSTP SIGTTIN SIGTTOU SIGURG SIGUSR1 SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU SIGXFSZ SIG_DFL SIG_ERR SIG_IGN
    SING TLOSS TMP_MAX TTY_NAME_MAX UNDERFLOW WCONTINUED WEOF WEXITED WEXITSTATUS WIFCONTINUED WIFEXITED
    WIFSIGNALED WIFSTOPPED WNOHANG WNOWAIT WORD_BIT WSTOPPED WSTOPSIG WTERMSIG WUNTRACED XATTR_LIST_MAX
    XATTR_NAME_MAX XATTR_SIZE_MAX alloca assert be16toh be32toh be64toh complex errno far fpclassify htobe16
    htobe32 htobe64 htole16 htole32 htole64 i386 imaginary interface isalnum isalpha isblank iscanonical iscntrl
    isdigit iseqsig isfinite isgraph isgreater isgreaterequal isinf isless islessequal islessgreater islower
    isnan isnormal isprint ispunct issignaling isspace issubnormal isunordered isupper isxdigit iszero le16toh
    le32toh le64toh linux major math_errhandling max min minor mips near offsetof setjmp signbit small sparc
    stderr stdin stdout strdupa strndupa sun unix va_arg va_copy va_end va_start vax
    """.split()
)
_FAMILIES = re.compile(
    "|".join(
        (
            r"(?:PRI|SCN)[diouxX](?:LEAST|FAST)?(?:8|16|32|64|MAX|PTR)",
            r"U?INT(?:_LEAST|_FAST)?(?:8|16|32|64)_(?:MIN|MAX|C|WIDTH)",
            r"(?:U?INT(?:MAX|PTR)|S?SIZE|PTRDIFF|WCHAR|WINT|SIG_ATOMIC|[SU]?CHAR|U?SHRT|U?INT|U?LONG(?:_LONG)?|U?LLONG|BOOL)_(?:MIN|MAX|C|WIDTH|BIT)",
            r"(?:FLT|DBL|LDBL|DEC|FLT(?:16|32|64|128)X?|DEC(?:32|64|128)X?)_[A-Z][A-Z0-9_]*",
            r"M_(?:E|LOG2E|LOG10E|LN2|LN10|PI|PI_2|PI_4|1_PI|2_PI|2_SQRTPI|SQRT2|SQRT1_2)(?:f|l|f\d+x?)?",
            r"(?:HUGE_VAL_?|SNAN|CMPLX)(?:[FL]|F\d+X?)?",
            r"F[EP]_[A-Z][A-Z0-9_]*",
            r"LC_[A-Z_]+",
            r"f(?:32|64|128)x?(?:add|sub|mul|div|sqrt|fma)",
            r"REAL(?:_\w+)?",  # our own
        )
    )
)
_LIBM = """
    acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor fma fmax
    fmin fmod frexp hypot ilogb ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround modf nan nearbyint
    nextafter nexttoward pow remainder remquo rint round scalbln scalbn sin sinh sqrt tan tanh tgamma trunc
    j0 j1 jn y0 y1 yn gamma drem significand scalb finite pow10 exp10 sincos
    cabs cacos carg casin catan ccos cexp cimag clog conj cpow cproj creal csin csqrt ctan
    """.split()
_LIBRARY = frozenset(
    """
    abort abs atexit atof atoi atol bsearch calloc clock div exit free getenv labs ldiv malloc main printf puts qsort
    rand realloc remove rename signal srand strtod system time tmpfile index rindex
    size_t ptrdiff_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t float_t
    double_t div_t ldiv_t FILE fpos_t va_list clock_t time_t
    """.split()
)
RESERVED = (
    _KEYWORDS
    | _MACROS
    | _LIBRARY
    | frozenset(_LIBM)
    | frozenset(name + "f" for name in _LIBM)
    | frozenset(name + "l" for name in _LIBM)
)
"""Words that no name of ours may be, beside the families."""


def is_reserved(word: str) -> bool:
    """Return whether a word means something in C or C++, or in the emitted files.

    Examples
    --------
    >>> is_reserved("DBL_DIG"), is_reserved("cosf"), is_reserved("REAL_EPSILON"), is_reserved("mass")
    (True, True, True, False)
    """
    return word in RESERVED or _FAMILIES.fullmatch(word) is not None
