"""Targets of the emitted C: processors whose compilers, flags, memory and emulators are known, a row each."""

from __future__ import annotations

from typing import NamedTuple

from eomc.errors import UsageError
from eomc.wording import did_you_mean


class Memory(NamedTuple):
    """Where code and data lie on the emulated board."""

    code: str  # first address
    code_size: str
    data: str
    data_size: str


class Target(NamedTuple):
    """A processor, and the program that runs its code."""

    name: str
    title: str
    prefix: str  # of the commands of its compiler; "" for the system's own
    flags: tuple[str, ...]  # of compiling and linking
    port: str  # template of its start-up code, clock and output
    memory: Memory | None  # None where the compiler has a linker script
    emulator: str  # command that runs an image
    runs: str  # name of the make target that emulates; "" for none
    counts: str  # what its clock counts
    wide: bool  # double has 64 bits
    filter: str  # awk program, with $ doubled, that keeps of the emulator's words what ours are; "" for none
    debian: str  # packages of Debian that hold its compiler, library and emulator


_MPS2 = Memory("0x00000000", "4M", "0x20000000", "4M")
_ARM_PACKAGES = "gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm"
_ARM_EMULATOR = "qemu-system-arm -M {} -nographic -icount shift=7 -semihosting-config enable=on,target=native -kernel"

TARGETS: tuple[Target, ...] = (
    Target("host", "this machine", "", (), "host", None, "", "", "ns", True, "", "gcc libc6-dev"),
    Target(
        "cortex-m0+",
        "Arm Cortex-M0+, no floating-point hardware",
        "arm-none-eabi-",
        ("-mcpu=cortex-m0plus", "-mthumb"),
        "cortex_m",
        _MPS2,
        _ARM_EMULATOR.format("mps2-an385"),  # a Cortex-M3, which executes what a Cortex-M0+ does
        "run-qemu",
        "instructions",
        True,
        "",
        _ARM_PACKAGES,
    ),
    Target(
        "cortex-m4",
        "Arm Cortex-M4F, floating-point hardware for float",
        "arm-none-eabi-",
        ("-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"),
        "cortex_m",
        _MPS2,
        _ARM_EMULATOR.format("mps2-an386"),
        "run-qemu",
        "instructions",
        True,
        "",
        _ARM_PACKAGES,
    ),
    Target(
        "cortex-m7",
        "Arm Cortex-M7, floating-point hardware for double",
        "arm-none-eabi-",
        ("-mcpu=cortex-m7", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv5-d16"),
        "cortex_m",
        _MPS2,
        _ARM_EMULATOR.format("mps2-an500"),
        "run-qemu",
        "instructions",
        True,
        "",
        _ARM_PACKAGES,
    ),
    Target(
        "rv32",
        "RISC-V RV32IMAC, no floating-point hardware",
        "riscv64-unknown-elf-",
        ("-march=rv32imac", "-mabi=ilp32", "-mcmodel=medany", "--specs=picolibc.specs"),
        "riscv",
        Memory("0x80000000", "4M", "0x80400000", "4M"),
        "qemu-system-riscv32 -M virt -bios none -nographic -icount shift=0"
        " -semihosting-config enable=on,target=native -kernel",
        "run-qemu",
        "instructions",
        True,
        "",
        "gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf qemu-system-misc",
    ),
    Target(
        "avr",
        "AVR ATmega1284P, float alone",
        "avr-",
        ("-mmcu=atmega1284p",),
        "avr",
        None,
        "simavr -m atmega1284p -f 16000000",
        "run-simavr",
        "cycles",
        False,
        r'{ gsub(/\033\[[0-9;]*m/, ""); sub(/\.+$$/, "") } /^(Loaded .*)?$$/ { next } { print } '
        r"/^failed/ { bad = 1 } END { exit bad }",
        "gcc-avr avr-libc simavr",
    ),
)

NAMES = tuple(row.name for row in TARGETS)


def find_target(name: str, real: str) -> Target:
    """Return the row of a target that builds for a scalar type.

    Raises
    ------
    UsageError
        There is none of that name, or its compiler has no such type.
    """
    for row in TARGETS:
        if row.name == name:
            if real == "double" and not row.wide:
                raise UsageError(f"target {name}: its double has no 53 bits; say real='float', or --real float")
            return row
    raise UsageError(f"unknown target {str(name)!r}; {did_you_mean(str(name), NAMES)}")
