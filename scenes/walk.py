#!/usr/bin/env python3
"""Writes walk.bvh: a person of 1.75 m who walks twelve steps through snow, straight along +z.

    python3 scenes/walk.py            writes walk.bvh beside this file, the same bytes every time
    python3 scenes/walk.py --check    writes nothing; fails if walk.bvh differs

Joint angles of hip, knee and ankle in the sagittal plane follow the published curves of natural cadence (D. A. Winter,
Biomechanics and Motor Control of Human Movement, 4th ed. 2009, appendix A; J. Perry, Gait Analysis, 1992); segment
lengths are Winter's fractions of body height (fig. 4.1). The stance foot is planted exactly: on the heel, then the
sole, the ball and the toe. The difference between the planted foot and the curves is blended over the swing, so the motion is
smooth at both ends of the swing. In snow, the swing foot is drawn out of its hole, carried over the snow and set down
on curves of minimum jerk (T. Flash and N. Hogan, The coordination of arm movements, J. Neuroscience 5, 1985). SNOW blends
between the natural swing and these curves; the pitch of the foot is always that of the natural swing.
Phase 0 is heel strike, phase 1 the next heel strike of the same foot. x is left, y up, z forward; metres and degrees.
docs/walk.md explains the method.
"""
import math
import sys
from pathlib import Path

HEIGHT = 1.75
CADENCE = 84            # steps per minute
STEP_LENGTH = 0.58
STEP_WIDTH = 0.19       # between the lines of the left and the right ankle
PELVIC_TILT = 10.0      # forward; hip flexion is measured from the tilted pelvis
TOE_OUT = 6.0           # foot progression angle
SNOW = 1.0              # 0 = natural swing on firm ground, 1 = high steps in snow
LIFT = 0.29             # rise of the ankle in snow
MIN_KNEE = 12.0         # smallest flexion of the knee; this sets the height of the pelvis
STRIDES = 6
FPS = 60

STRIDE_S = 120 / CADENCE
STRIDE_M = 2 * STEP_LENGTH
TOE_OFF = 0.63          # end of stance
TOES_STRAIGHT = 0.80     # the toes are straight again after push-off
SETTLE = 0.15           # part of the cycle after toe-off, and before the strike, in which the correction's speed fades
UP, TOP = 0.67, 0.78   # of the swing in snow: the foot starts to move forward; it is at its highest point
FLAT, HEEL_OFF, TOE_PIVOT = 0.11, 0.32, 0.52   # the foot is flat; the heel rises; the weight is on the tip of the toes

THIGH, SHANK, ANKLE_HEIGHT, FOOT = 0.245 * HEIGHT, 0.246 * HEIGHT, 0.039 * HEIGHT, 0.152 * HEIGHT
HIP_HALF, SHOULDER_HALF = 0.05 * HEIGHT, 0.1295 * HEIGHT
UPPER_ARM, FOREARM, HAND = 0.186 * HEIGHT, 0.146 * HEIGHT, 0.108 * HEIGHT

# Points of the foot from the ankle: (x, y, z) with the foot flat.
HEEL = (0.0, -ANKLE_HEIGHT, -0.21 * FOOT)
BALL = (0.0, -ANKLE_HEIGHT, 0.50 * FOOT)
TIP = (0.0, -ANKLE_HEIGHT, 0.79 * FOOT)
TOE_JOINT = (0.0, -ANKLE_HEIGHT + 0.015, 0.50 * FOOT)
ANKLE_AHEAD = 0.5 * STEP_LENGTH - 0.025   # ankle before the pelvis while the foot is flat, extrapolated to phase 0

# phase, degrees
HIP_FLEXION = [(0.00, 30), (0.06, 29), (0.14, 24), (0.31, 8), (0.51, -10), (0.63, -1), (0.74, 21), (0.85, 34), (0.91, 34),
               (0.96, 32)]
KNEE_FLEXION = [(0.00, 5), (0.05, 13), (0.14, 18), (0.28, 10), (0.40, 5), (0.51, 11), (0.63, 40), (0.73, 62), (0.82, 44),
                (0.90, 19), (0.96, 5)]
ANKLE_FLEXION = [(0.00, 0), (0.07, -5), (0.22, 4), (0.45, 10), (0.55, -1), (0.63, -19), (0.72, -8), (0.82, 1), (0.92, 0)]
# How far each step lands from its mark: metres left, metres forward, degrees outward.
SCATTER = [(0.004, 0.005, 1.0), (-0.006, -0.008, -0.5), (0.008, 0.003, 2.0), (-0.003, 0.007, 0.5),
           (0.000, -0.006, -1.5), (0.006, -0.004, 0.0), (-0.008, 0.006, 1.5), (0.003, 0.000, -1.0),
           (0.007, -0.007, 0.5), (-0.005, 0.005, -2.0), (0.002, 0.007, 1.0), (-0.007, -0.006, 0.0)]


# ---- vectors, rotations (rows), curves ------------------------------------------------------------------------------
def add(a, b): return tuple(x + y for x, y in zip(a, b))
def sub(a, b): return tuple(x - y for x, y in zip(a, b))
def scale(a, s): return tuple(x * s for x in a)
def dot(a, b): return sum(x * y for x, y in zip(a, b))
def cross(a, b): return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
def unit(a): return scale(a, 1 / math.sqrt(dot(a, a)))
def apply(m, v): return tuple(dot(row, v) for row in m)
def transposed(m): return tuple(zip(*m))
def times(*ms):
    m = ms[0]
    for n in ms[1:]:
        columns = transposed(n)
        m = tuple(tuple(dot(row, c) for c in columns) for row in m)
    return m


def turn(axis, degrees):
    """Rotation about x, y or z by the right-hand rule."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return {'x': ((1, 0, 0), (0, c, -s), (0, s, c)),
            'y': ((c, 0, s), (0, 1, 0), (-s, 0, c)),
            'z': ((c, -s, 0), (s, c, 0), (0, 0, 1))}[axis]


def euler(m):
    """Angles (x, y, z) with m = turn x · turn y · turn z. In this motion, y is never near its pole of 90 degrees."""
    return (math.degrees(math.atan2(-m[1][2], m[2][2])), math.degrees(math.asin(max(-1.0, min(1.0, m[0][2])))),
            math.degrees(math.atan2(-m[0][1], m[0][0])))


def periodic(table):
    """Periodic cubic spline (C2) through (phase, value)."""
    n = len(table)
    x = [row[0] for row in table] + [1 + table[0][0]]
    y = [row[1] for row in table] + [table[0][1]]
    h = [x[i + 1] - x[i] for i in range(n)]
    # Second derivatives M: h[i-1] M[i-1] + 2 (h[i-1] + h[i]) M[i] + h[i] M[i+1] = 6 (difference of slopes).
    rows = [[0.0] * (n + 1) for _ in range(n)]
    for i in range(n):
        rows[i][i - 1 if i else n - 1] += h[i - 1]
        rows[i][i] += 2 * (h[i - 1] + h[i])
        rows[i][(i + 1) % n] += h[i]
        rows[i][n] = 6 * ((y[i + 1] - y[i]) / h[i] - (y[i] - (y[i - 1] if i else y[n - 1])) / h[i - 1])
    for i in range(n):  # Gauss-Jordan; the matrix is diagonally dominant
        pivot = rows[i][i]
        rows[i] = [v / pivot for v in rows[i]]
        for k in range(n):
            if k != i:
                factor = rows[k][i]
                rows[k] = [v - factor * p for v, p in zip(rows[k], rows[i])]
    second = [row[n] for row in rows] + [rows[0][n]]

    def value(phase):
        p = phase % 1.0
        i = max(k for k in range(n) if x[k] <= p)
        a, b = (x[i + 1] - p) / h[i], (p - x[i]) / h[i]
        return a * y[i] + b * y[i + 1] + ((a**3 - a) * second[i] + (b**3 - b) * second[i + 1]) * h[i]**2 / 6
    return value


def quintic(x, x0, x1, start, end):
    """The polynomial of degree 5 that has given (value, first, second derivative) at x0 and at x1."""
    h = x1 - x0
    t = (x - x0) / h
    p0, v0, a0 = start[0], start[1] * h, start[2] * h * h
    p1, v1, a1 = end[0], end[1] * h, end[2] * h * h
    return (p0 + v0 * t + 0.5 * a0 * t**2 + (10 * (p1 - p0) - 6 * v0 - 4 * v1 - 1.5 * a0 + 0.5 * a1) * t**3
            + (15 * (p0 - p1) + 8 * v0 + 7 * v1 + 1.5 * a0 - a1) * t**4
            + (6 * (p1 - p0) - 3 * (v0 + v1) - 0.5 * a0 + 0.5 * a1) * t**5)


def wave(phase, harmonic, amplitude, peak):
    """A cosine with `harmonic` periods per stride and its maximum at phase `peak`."""
    return amplitude * math.cos(2 * math.pi * harmonic * (phase - peak))


# ---- the leg --------------------------------------------------------------------------------------------------------
hipFlexion, kneeFlexion, ankleFlexion = (periodic(t) for t in (HIP_FLEXION, KNEE_FLEXION, ANKLE_FLEXION))
REST = (0.0, 0.0, 0.0)


def stancePitch(phase):
    """Pitch of the sole, positive with the toes up: heel rocker, flat, forefoot rocker."""
    if phase < FLAT:
        return quintic(phase, 0, FLAT, (18, -160, 0), REST)
    if phase < HEEL_OFF:
        return 0.0
    return quintic(phase, HEEL_OFF, TOE_OFF, REST, (-50, -330, 0))


def stanceToePitch(phase):
    """Pitch of the toes: that of the foot in the heel rocker, flat in the forefoot rocker, then about their tip."""
    if phase < FLAT:
        return stancePitch(phase)
    return 0.0 if phase < TOE_PIVOT else quintic(phase, TOE_PIVOT, TOE_OFF, REST, (-24, -420, 0))


def plantedAnkle(phase):
    """The planted foot, as four numbers: height of the ankle; its place before the pelvis if the foot is flat; how far
    the rockers have moved it from there, in the plane of the foot; pitch of the sole. The ground moves backwards under the
    walker."""
    pitch = stancePitch(phase)
    if phase < FLAT:
        ankle = add(HEEL, apply(turn('x', -pitch), scale(HEEL, -1)))
    else:
        joint = add(TIP, apply(turn('x', -stanceToePitch(phase)), sub(TOE_JOINT, TIP)))
        ankle = add(joint, apply(turn('x', -pitch), scale(TOE_JOINT, -1)))
    return (ankle[1] + ANKLE_HEIGHT, ANKLE_AHEAD - STRIDE_M * phase, ankle[2], pitch)


def freeAnkle(phase, hip_height):
    """The same four numbers from the joint curves alone."""
    thigh = hipFlexion(phase) - PELVIC_TILT
    shank = thigh - kneeFlexion(phase)
    a, b = math.radians(thigh), math.radians(shank)
    return (hip_height - THIGH * math.cos(a) - SHANK * math.cos(b), THIGH * math.sin(a) + SHANK * math.sin(b), 0.0,
            shank + ankleFlexion(phase))


def correction(phase, hip_height):
    return sub(plantedAnkle(phase), freeAnkle(phase, hip_height))


def snowAnkle(phase, lift_off, strike):
    """Height of an ankle in snow and its place before the pelvis, from the planted foot at lift-off to the strike. It
    moves with minimum jerk forward, and up and down again, so that only a short part of its way is in the snow."""
    top = (ANKLE_HEIGHT + LIFT, 0, 0)
    height = (quintic(phase, TOE_OFF, TOP, lift_off[0], top) if phase < TOP
              else quintic(phase, TOP, 1, top, strike[0]))
    along = STRIDE_M * quintic(max(phase, UP), UP, 1, REST, (1, 0, 0))
    return height, ANKLE_AHEAD - STRIDE_M * phase + along


def ends(function, phase, side):
    """Value, first and second derivative at `phase`, by one-sided differences (exact for cubics)."""
    h = 1e-3 * side
    f = [function(phase + k * h) for k in range(4)]
    return [(a, (-11 * a + 18 * b - 9 * c + 2 * d) / (6 * h), (2 * a - 5 * b + 4 * c - d) / (h * h))
            for a, b, c, d in zip(*f)]


def fade(phase, lift_off, strike):
    """The correction during the swing, from lift-off to strike. The speeds at both ends act for SETTLE only."""
    early, late = TOE_OFF + SETTLE, 1 - SETTLE
    result = quintic(phase, TOE_OFF, 1, (lift_off[0], 0, 0), (strike[0], 0, 0))
    if phase < early:
        result += quintic(phase, TOE_OFF, early, (0, *lift_off[1:]), REST)
    if phase > late:
        result += quintic(phase, late, 1, REST, (0, *strike[1:]))
    return result


class Foot:
    """A foot during the cycle of its own leg, for a given height of the hips."""

    def __init__(self, hip_height):
        self.hip_height = hip_height
        self.lift_off = ends(lambda p: correction(p, hip_height), TOE_OFF, -1)
        self.strike = ends(lambda p: correction(p, hip_height), 0.0, 1)
        self.planted_off, self.planted_strike = ends(plantedAnkle, TOE_OFF, -1), ends(plantedAnkle, 0.0, 1)
        self.bend_off = ends(lambda p: (stanceToePitch(p) - stancePitch(p),), TOE_OFF, -1)[0]

    def ankle(self, phase):
        """The four numbers of plantedAnkle: of the planted foot in stance, on the curves in swing."""
        if phase < TOE_OFF:
            return plantedAnkle(phase)
        natural = add(freeAnkle(phase, self.hip_height),
                      [fade(phase, a, b) for a, b in zip(self.lift_off, self.strike)])
        snow = snowAnkle(phase, self.planted_off, self.planted_strike) + natural[2:]
        return add(scale(natural, 1 - SNOW), scale(snow, SNOW))

    def toeBend(self, phase):
        if phase < TOE_OFF:
            return stanceToePitch(phase) - stancePitch(phase)
        return quintic(phase, TOE_OFF, TOES_STRAIGHT, self.bend_off, REST) if phase < TOES_STRAIGHT else 0.0


# ---- the body -------------------------------------------------------------------------------------------------------
def pelvis(stride, height):
    """Place of the point between the hips, and rotation. `stride` counts cycles of the right leg."""
    phase = stride % 1.0
    place = (wave(phase, 1, -0.020, 0.31), height + wave(phase, 2, 0.016, 0.31),
             STRIDE_M * stride + wave(phase, 2, 0.008, 0.17))
    return place, times(turn('y', wave(phase, 1, 4.5, 0.0)), turn('z', wave(phase, 1, -3.5, 0.17)),
                        turn('x', PELVIC_TILT + wave(phase, 2, 1.0, 0.05)))


def side(name):
    return 1 if name == 'Left' else -1


def footPlace(foot, name, stride):
    """Ankle and rotation of a foot in space, and the bend of its toes."""
    cycle = stride + (0.5 if name == 'Left' else 0.0)
    index = math.floor(cycle + 1e-9)
    phase = max(0.0, cycle - index)
    step = 2 * index - (1 if name == 'Left' else 0)
    here, there = SCATTER[step % (2 * STRIDES)], SCATTER[(step + 2) % (2 * STRIDES)]
    swing = max(phase, TOE_OFF)
    dx, dz, out = (quintic(swing, TOE_OFF, 1, (a, 0, 0), (b, 0, 0)) for a, b in zip(here, there))
    height, along, travel, pitch = foot.ankle(phase)
    yaw = turn('y', side(name) * (TOE_OUT + out))
    place = add((side(name) * STEP_WIDTH / 2 + dx, height, STRIDE_M * stride + along + dz), apply(yaw, (0, 0, travel)))
    return place, times(yaw, turn('x', -pitch)), foot.toeBend(phase)


def solveLeg(hip, ankle, toes):
    """Rotations of thigh and shank that reach the ankle, with the knee above the toes, and the flexion of the knee."""
    reach = sub(ankle, hip)
    length = math.sqrt(dot(reach, reach))
    if length >= THIGH + SHANK:
        return None, None, -1.0
    down = unit(reach)
    hinge = unit(cross(toes, down))                      # the knee's axis; flexion turns the shank about +hinge
    angle = math.acos((THIGH**2 + length**2 - SHANK**2) / (2 * THIGH * length))
    forward = cross(down, hinge)
    knee = add(hip, add(scale(down, THIGH * math.cos(angle)), scale(forward, THIGH * math.sin(angle))))

    def frame(top, bottom):
        up = unit(sub(top, bottom))
        return transposed((hinge, up, cross(hinge, up)))
    thigh, shank = frame(hip, knee), frame(knee, ankle)
    flexion = math.degrees(math.acos((THIGH**2 + SHANK**2 - length**2) / (2 * THIGH * SHANK)))
    return thigh, shank, 180 - flexion


def legs(stride, height, foot):
    """Both legs at one time: name -> (thigh, shank, foot rotation in space, toe bend, knee flexion)."""
    place, rotation = pelvis(stride, height)
    result = {}
    for name in ('Left', 'Right'):
        ankle, sole, bend = footPlace(foot, name, stride)
        hip = add(place, apply(rotation, (side(name) * HIP_HALF, 0, 0)))
        toes = apply(turn('y', side(name) * TOE_OUT), (0, 0, 1))
        thigh, shank, flexion = solveLeg(hip, ankle, toes)
        result[name] = (thigh, shank, sole, bend, flexion)
    return result


def solveHeight():
    """The height of the hips at which the straightest knee of the clip is flexed by MIN_KNEE. Found by bisection."""
    low, high = 0.7 * (THIGH + SHANK), THIGH + SHANK + ANKLE_HEIGHT
    for _ in range(30):
        middle = 0.5 * (low + high)
        foot = Foot(middle)
        straightest = min(leg[4] for k in range(48 * STRIDES) for leg in legs(k / 48, middle, foot).values())
        low, high = (middle, high) if straightest > MIN_KNEE else (low, middle)
    return low


def upperBody(stride, pelvis_rotation):
    """Local rotations above the pelvis: the trunk leans and turns against the pelvis, and the head stays level."""
    phase = stride % 1.0
    chest = times(turn('y', wave(phase, 1, -4.0, 0.02)), turn('z', wave(phase, 1, 1.2, 0.17)),
                  turn('x', 9 + wave(phase, 2, 1.2, 0.10)))
    spine = times(turn('y', wave(phase, 1, 0.5, 0.0)), turn('x', 6))
    head = turn('x', 10 + wave(phase, 2, 0.8, 0.60))      # the eyes look at the snow some metres ahead
    neck = times(turn('y', wave(phase, 1, -1.5, 0.02)), turn('x', 14))
    local = {'Spine': times(transposed(pelvis_rotation), spine), 'Chest': times(transposed(spine), chest),
             'Neck': times(transposed(chest), neck), 'Head': times(transposed(neck), head)}
    for name in ('Left', 'Right'):
        s = side(name)
        swing = 4 + wave(phase, 1, 19 * s, 0.03) + wave(phase, 2, 1.5, 0.2)   # the arm moves forward with the other leg
        spread = 76 + wave(phase, 2, 1.0, 0.15)                            # down from the T pose, with a distance to the body
        elbow = 27 + wave(phase, 1, 9 * s, 0.09)
        local[name + 'Shoulder'] = turn('y', wave(phase, 1, -2.0, 0.05))
        local[name + 'Arm'] = times(turn('x', -swing), turn('z', -s * spread))
        local[name + 'ForeArm'] = turn('y', -s * elbow)
        local[name + 'Hand'] = turn('y', -s * (6 + wave(phase, 1, 3 * s, 0.12)))
    return local


def pose(stride, height, foot):
    """Root place and local rotation of every joint."""
    place, rotation = pelvis(stride, height)
    local = {'Hips': rotation, **upperBody(stride, rotation)}
    for name, (thigh, shank, sole, bend, _) in legs(stride, height, foot).items():
        local[name + 'UpLeg'] = times(transposed(rotation), thigh)
        local[name + 'Leg'] = times(transposed(thigh), shank)
        local[name + 'Foot'] = times(transposed(shank), sole)
        local[name + 'Toe'] = turn('x', -bend)
    return place, local


# ---- the file -------------------------------------------------------------------------------------------------------
def skeleton():
    """(depth, name or None for an end site, offset in metres) in the order of the file. The T pose faces +z."""
    def arm(name):
        s = side(name)
        return [(3, name + 'Shoulder', (s * 0.02, 0.19, 0.0)),
                (4, name + 'Arm', (s * (SHOULDER_HALF - 0.02), 0.03, 0.0)),
                (5, name + 'ForeArm', (s * UPPER_ARM, 0.0, 0.0)), (6, name + 'Hand', (s * FOREARM, 0.0, 0.0)),
                (7, None, (s * HAND, 0.0, 0.0))]

    def leg(name):
        return [(1, name + 'UpLeg', (side(name) * HIP_HALF, 0.0, 0.0)), (2, name + 'Leg', (0.0, -THIGH, 0.0)),
                (3, name + 'Foot', (0.0, -SHANK, 0.0)), (4, name + 'Toe', TOE_JOINT),
                (5, None, (0.0, 0.0, TIP[2] - TOE_JOINT[2]))]
    trunk = [(0, 'Hips', (0.0, 0.0, 0.0)), (1, 'Spine', (0.0, 0.11, -0.01)), (2, 'Chest', (0.0, 0.17, 0.0)),
             (3, 'Neck', (0.0, 0.26, 0.0)), (4, 'Head', (0.0, 0.09, 0.01)), (5, None, (0.0, 0.19, 0.0))]
    return trunk + arm('Left') + arm('Right') + leg('Left') + leg('Right')


def hierarchy(bones):
    lines, depth = ['HIERARCHY'], -1
    for level, name, offset in bones + [(0, '', None)]:
        while depth >= level:
            lines.append('  ' * depth + '}')
            depth -= 1
        if offset is None:
            break
        pad = '  ' * level
        lines.append(pad + ('End Site' if name is None else ('JOINT ' if level else 'ROOT ') + name))
        lines.append(pad + '{')
        lines.append(pad + '  OFFSET ' + ' '.join(f'{100 * v + 0.0:.3f}' for v in offset))
        if name is not None:
            position = '' if level else 'Xposition Yposition Zposition '
            lines.append(pad + f'  CHANNELS {3 if level else 6} {position}Xrotation Yrotation Zrotation')
        depth = level
    return lines


def number(value, digits):
    text = f'{value:.{digits}f}'
    return text[1:] if float(text) == 0 and text[0] == '-' else text


def motion(bones, height, foot):
    frames = round(STRIDES * STRIDE_S * FPS) + 1
    lines = ['MOTION', f'Frames: {frames}', f'Frame Time: {1 / FPS:.9f}']
    for k in range(frames):
        place, local = pose(k / (FPS * STRIDE_S), height, foot)
        values = [number(100 * v, 3) for v in place]
        for _, name, _ in bones:
            if name is not None:
                values += [number(angle, 3) for angle in euler(local[name])]
        lines.append(' '.join(values))
    return lines


def main():
    height = solveHeight()
    foot = Foot(height)
    bones = skeleton()
    text = '\n'.join(hierarchy(bones) + motion(bones, height, foot)) + '\n'
    file = Path(__file__).with_name('walk.bvh')
    if sys.argv[1:] == ['--check']:
        sys.exit(0 if file.read_bytes() == text.encode('ascii') else f'{file} is not what {Path(__file__).name} writes')
    file.write_text(text, encoding='ascii', newline='\n')


if __name__ == '__main__':
    main()
