/*
 * A UR5 reaches from one pose to another by computed torque, controller and arm in float on one small processor.
 *
 * With the torques of inverse dynamics for the accelerations a = p'' + 2 OMEGA (p' - q') + OMEGA^2 (p - q) the errors
 * e = p - q from the path p obey e'' + 2 OMEGA e' + OMEGA^2 e = d. d is what the held torques do beside a: zero at a
 * sample, and the most just before the next. The response of e to d is positive and its integral 1 / OMEGA^2, so that
 * |e| <= max |d| / OMEGA^2, to the first order in the sample time. Rounding moves the angles by half a unit in the last
 * place or so in each step: 2 / OMEGA is the integral of what is left of that.
 */
#include "port.h"
#include "ur5.h"

#include <float.h>
#include <stdint.h>
#include <string.h>

#ifndef UR5_USE_FLOAT
#error "reaching.c prints the bits of floats: generate with --real float"
#endif

#define REAL(value) ((ur5_real)(value))
#define SAMPLE REAL(0.0009765625) /* 2^-10 s, of the controller and of the steps: its multiples are exact */
#define SAMPLES 2048
#define MOVING REAL(1.5) /* s, the path; then it rests */
#define OMEGA REAL(20.0) /* 1/s, at which errors decay, critically damped */

static const ur5_real start[UR5_NV] = {REAL(0.0), REAL(-1.2), REAL(1.4), REAL(-0.8), REAL(0.3), REAL(0.0)};
static const ur5_real goal[UR5_NV] = {REAL(1.0), REAL(-0.4), REAL(0.6), REAL(-1.5), REAL(-0.6), REAL(1.2)};

static ur5_constants constants;
static ur5_work work;
static ur5_inputs torques;
static ur5_real x[UR5_NX];

static ur5_real larger(ur5_real a, ur5_real b)
{
    const ur5_real size = (b < REAL(0.0)) ? -b : b;

    return (size > a) ? size : a;
}

/* The path of one joint and its derivatives: a polynomial of degree five, at rest at both ends. */
static void follow(ur5_real t, int joint, ur5_real path[3])
{
    const ur5_real way = goal[joint] - start[joint];
    const ur5_real s = (t < MOVING) ? (t / MOVING) : REAL(1.0);
    const ur5_real rest = REAL(1.0) - s;

    path[0] = start[joint] + (way * (s * s * s * (REAL(10.0) + (s * ((REAL(6.0) * s) - REAL(15.0))))));
    path[1] = (way * (REAL(30.0) * s * s * rest * rest)) / MOVING;
    path[2] = (way * (REAL(60.0) * s * rest * (rest - s))) / (MOVING * MOVING);
}

/* The accelerations that are wanted at a sample, from the path and its errors. */
static void want(uint32_t sample, ur5_real wanted[UR5_NV], ur5_real *worst)
{
    const ur5_real t = SAMPLE * (ur5_real)sample;
    int i;

    for (i = 0; i < UR5_NV; ++i) {
        ur5_real path[3];
        ur5_real error;

        follow(t, i, path);
        error = path[0] - x[i];
        wanted[i] = path[2] + (OMEGA * ((REAL(2.0) * (path[1] - x[UR5_NV + i])) + (OMEGA * error)));
        *worst = larger(*worst, error);
    }
}

/* The controller: torques that make the wanted accelerations. */
static ur5_status drive(const ur5_real wanted[UR5_NV])
{
    ur5_real tau[UR5_INVERSE_DYNAMICS_SIZE];
    const ur5_status status =
        ur5_inverse_dynamics(REAL(0.0), x, wanted, &ur5_default_inputs, &constants, &work, tau);

    if (status == UR5_OK) {
        torques.tau_shoulder_pan_joint = tau[0];
        torques.tau_shoulder_lift_joint = tau[1];
        torques.tau_elbow_joint = tau[2];
        torques.tau_wrist_1_joint = tau[3];
        torques.tau_wrist_2_joint = tau[4];
        torques.tau_wrist_3_joint = tau[5];
    }
    return status;
}

static void write_number(const char *before, uint32_t value, const char *after)
{
    char text[11];
    uint32_t rest = value;
    int i = 10;

    text[i] = '\0';
    do {
        --i;
        text[i] = (char)('0' + (int)(rest % 10U));
        rest /= 10U;
    } while (rest > 0U);
    port_write(before);
    port_write(&text[i]);
    port_write(after);
}

/* The bits of the state, as eight hexadecimal digits each. */
static void write_state(void)
{
    int i;

    port_write("state");
    for (i = 0; i < UR5_NX; ++i) {
        static const char digits[] = "0123456789abcdef";
        char text[10];
        uint32_t bits;
        unsigned int k;

        (void)memcpy(&bits, &x[i], sizeof(bits));
        text[0] = ' ';
        for (k = 0; k < 8U; ++k) {
            text[k + 1U] = digits[(bits >> (28U - (4U * k))) & 15U];
        }
        text[9] = '\0';
        port_write(text);
    }
    port_write("\n");
}

int main(void)
{
    ur5_real wanted[UR5_NV];
    ur5_real worst = REAL(0.0);  /* error [rad] */
    ur5_real beside = REAL(0.0); /* acceleration beside the wanted one [rad/s^2] */
    ur5_real widest = REAL(0.0); /* angle [rad] */
    ur5_real bound;
    uint64_t ticks = 0;
    uint32_t k;

    port_start();
    if (ur5_prepare(&ur5_default_parameters, &constants) != UR5_OK) {
        return port_end(1);
    }
    torques = ur5_default_inputs;
    (void)memcpy(x, start, sizeof(start)); /* and at rest */
    want(0, wanted, &worst);
    for (k = 0; k < (uint32_t)SAMPLES; ++k) {
        const ur5_real t = SAMPLE * (ur5_real)k;
        const uint32_t before = port_clock();
        const ur5_status status = drive(wanted);
        ur5_real dx[UR5_NX];
        int i;

        ticks += (port_clock() - before) & port_clock_mask;
        if ((status != UR5_OK) || (ur5_rk4_step_held(t, SAMPLE, &torques, &constants, &work, x) != UR5_OK)
            || (ur5_rhs(t, x, &torques, &constants, &work, dx) != UR5_OK)) {
            write_number("failed in sample ", k, "\n");
            return port_end(1);
        }
        want(k + 1U, wanted, &worst);
        for (i = 0; i < UR5_NV; ++i) {
            beside = larger(beside, dx[UR5_NV + i] - wanted[i]);
            widest = larger(widest, x[i]);
        }
    }
    bound = (beside / (OMEGA * OMEGA)) + ((widest * FLT_EPSILON) / (OMEGA * SAMPLE));
    write_state();
    write_number("largest error ", (uint32_t)(worst * REAL(1e9)), " nrad, ");
    write_number("bound ", (uint32_t)(bound * REAL(1e9)), " nrad\n");
    ticks = (ticks * port_clock_numerator) / port_clock_denominator;
    write_number("inverse dynamics ", (uint32_t)(ticks / SAMPLES), " ");
    port_write(port_clock_unit);
    port_write("\n");
    return port_end((worst < bound) ? 0 : 1);
}
