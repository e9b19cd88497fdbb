#!/usr/bin/env python3
"""Reads a walk as any importer would, joint by joint, and measures how its feet meet the ground.

Boundaries: flat feet within 3 mm of the ground and slipping less than 5 mm; nothing sinks; the heel lands first and the
toes leave last; the sole clears 20 to 26 cm in snow; at least ten steps along +z; no joint accelerates by more than
10 g, which a jump in velocity of 1 m/s between two frames at 60 fps (6 g) added to the swing of a leg would exceed.
"""
import math
import sys

SOLE = 1.5               # cm from the toe joint down to the sole
HEEL, TIP = -5.6, 7.7    # cm along the foot: heel from the ankle, tip from the toe joint


def read(path):
    words = open(path, encoding='ascii').read().split()
    joints, stack, at = [], [], 0
    while words[at] != 'MOTION':
        if words[at] in ('ROOT', 'JOINT', 'End'):
            name = words[at + 1] if words[at] != 'End' else joints[stack[-1]]['name'] + 'End'
            joints.append({'name': name, 'parent': stack[-1] if stack else None, 'channels': []})
            at += 2
        elif words[at] == '{':
            stack.append(len(joints) - 1)
            at += 1
        elif words[at] == '}':
            stack.pop()
            at += 1
        elif words[at] == 'OFFSET':
            joints[stack[-1]]['offset'] = [float(w) for w in words[at + 1:at + 4]]
            at += 4
        elif words[at] == 'CHANNELS':
            count = int(words[at + 1])
            joints[stack[-1]]['channels'] = words[at + 2:at + 2 + count]
            at += 2 + count
        else:
            at += 1
    frames, dt = int(words[at + 2]), float(words[at + 5])
    values = [float(w) for w in words[at + 6:]]
    width = sum(len(j['channels']) for j in joints)
    assert len(values) == frames * width, f'{len(values)} values, expected {frames} frames of {width}'
    return joints, dt, [values[k * width:(k + 1) * width] for k in range(frames)]


def turn(axis, degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return {'X': [[1, 0, 0], [0, c, -s], [0, s, c]], 'Y': [[c, 0, s], [0, 1, 0], [-s, 0, c]],
            'Z': [[c, -s, 0], [s, c, 0], [0, 0, 1]]}[axis]


def moved(place, rotation, v):
    return [place[i] + sum(rotation[i][k] * v[k] for k in range(3)) for i in range(3)]


def pose(joints, frame):
    """Name -> (place, rotation in space)."""
    result, at, by_index = {}, 0, []
    for joint in joints:
        offset, rotation = list(joint['offset']), [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        for channel in joint['channels']:
            if channel.endswith('position'):
                offset['XYZ'.index(channel[0])] += frame[at]
            else:
                t = turn(channel[0], frame[at])
                rotation = [[sum(r[k] * t[k][j] for k in range(3)) for j in range(3)] for r in rotation]
            at += 1
        if joint['parent'] is not None:
            place, parent = by_index[joint['parent']]
            offset = moved(place, parent, offset)
            rotation = [[sum(p[k] * rotation[k][j] for k in range(3)) for j in range(3)] for p in parent]
        by_index.append((offset, rotation))
        result[joint['name']] = by_index[-1]
    return result


def solePoints(joints, poses, side):
    """Heel, ball and tip of the toes under the sole, per frame."""
    drop = next(j['offset'][1] for j in joints if j['name'] == side + 'Toe') - SOLE
    points = []
    for p in poses:
        foot, toe = p[side + 'Foot'], p[side + 'Toe']
        points.append([moved(*foot, [0, drop, HEEL]), moved(*toe, [0, -SOLE, 0]), moved(*toe, [0, -SOLE, TIP])])
    return points


def runs(flags):
    """Index ranges over which flags hold, without those cut off by the ends of the clip."""
    result, start = [], None
    for k, flag in enumerate(flags):
        if flag and start is None:
            start = k
        if not flag and start is not None:
            result.append(range(start, k))
            start = None
    return [r for r in result if r.start > 0]


def checkFoot(joints, poses, side):
    points = solePoints(joints, poses, side)
    heights = [[q[1] for q in p] for p in points]
    lowest = min(map(min, heights))
    assert lowest > -0.3, f'{side}: sinks {-10 * lowest:.1f} mm'
    flat = runs([max(h) < 0.3 for h in heights])
    slip = max(math.dist(points[k][i], points[r.start][i]) for r in flat for k in r for i in range(3))
    assert slip < 0.5, f'{side}: slips {10 * slip:.1f} mm'
    for stance in runs([min(h) < 0.3 for h in heights]):
        first, last = heights[stance.start], heights[stance.stop - 1]
        assert first[0] < first[1] and first[0] < first[2], f'{side}: the heel is not first at frame {stance.start}'
        assert last[2] < last[0] and last[2] < last[1], f'{side}: the toes are not last at frame {stance.stop - 1}'
    swings = [max(min(heights[k]) for k in r) for r in runs([min(h) > 0.3 for h in heights])]
    assert all(20 < lift < 26 for lift in swings), f'{side}: the sole clears {swings} cm'
    return len(flat), slip, min(swings)


def main():
    joints, dt, frames = read(sys.argv[1])
    poses = [pose(joints, f) for f in frames]
    feet = [checkFoot(joints, poses, side) for side in ('Left', 'Right')]
    assert sum(f[0] for f in feet) >= 10, f'{feet}: fewer than ten steps'
    travel = [b - a for a, b in zip(poses[0]['Hips'][0], poses[-1]['Hips'][0])]
    assert travel[2] > 600 and abs(travel[0]) < 0.01 * travel[2], f'walks along {travel}'
    for joint in joints:
        track = [p[joint['name']][0] for p in poses]
        peak = max(math.dist(track[k + 1], [2 * a - b for a, b in zip(track[k], track[k - 1])])
                   for k in range(1, len(track) - 1)) / dt**2 / 981
        assert peak < 10, f"{joint['name']} accelerates by {peak:.1f} g"
    print(f'flat stances, slip in cm, clearance in cm: {feet}; travel in cm: {travel}')


if __name__ == '__main__':
    main()
