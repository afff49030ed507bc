#!/usr/bin/env python3
"""Checks certificates of klotski and black-white, with the standard library only.

    check_certificate.py klotski BOARD CERTIFICATE [METRIC]
    check_certificate.py black-white BOARDS CERTIFICATE

BOARD and BOARDS are files with the text of an instance, as `list --json` prints it. METRIC is
rectilinear (the default), straight or unit. The file format is described in docs/certificates.md. This
program shares no code with the others. Exit codes: 0 accepted, 11 refused, 20 out of memory, 2 bad usage.
"""

import collections
import copy
import re
import struct
import sys
import zlib


class Refused(Exception):
    """Why a certificate is refused."""


def sections(data):
    """The sections of a file by their tags."""
    magic = b"fewest-certificate 1\n"
    if not data.startswith(magic) or len(data) < len(magic) + 4:
        raise Refused("it does not begin as a certificate")
    if zlib.crc32(data[:-4]) != struct.unpack("<I", data[-4:])[0]:
        raise Refused("its checksum does not match")
    at, found = len(magic), {}
    while at < len(data) - 4:
        if at + 17 > len(data) - 4:
            raise Refused("it is cut short")
        tag, size, stored = struct.unpack("<BQQ", data[at:at + 17])
        at += 17
        if size > 1 << 30 or chr(tag) not in "cpstuvwxy" or any(chr(tag) <= other for other in found):
            raise Refused("its sections are wrong")
        if stored > len(data) - 4 - at or chr(tag) in found:
            raise Refused("its sections are wrong")
        decoder = zlib.decompressobj(-15)
        try:
            content = decoder.decompress(data[at:at + stored], size + 1)
        except zlib.error as error:
            raise Refused("a section is damaged") from error
        if len(content) != size or not decoder.eof or decoder.unused_data:
            raise Refused("a section has another size")
        found[chr(tag)] = content
        at += stored
    return found


def differences(data):
    """Numbers of which each is stored as its difference to the one before."""
    numbers, last, number, shift = [], 0, 0, 0
    for byte in data:
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            last += number >> 1 if number % 2 == 0 else -(number >> 1) - 1
            numbers.append(last)
            number = shift = 0
        elif shift > 63:
            raise Refused("a number is damaged")
    if shift:
        raise Refused("a number is cut short")
    return numbers


def read_states(parts, tags, count, length):
    """The records with their depths."""
    shared, rest = parts[tags[0]], parts[tags[1]]
    depths = differences(parts[tags[2]]) if tags[2] in parts else [0] * len(shared)
    if len(shared) != count or len(depths) != count:
        raise Refused("it has another number of states")
    states, record, at = {}, b"", 0
    for equal, depth in zip(shared, depths):
        new = rest[at:at + length - equal]
        if equal >= length or len(new) != length - equal or equal > len(record):
            raise Refused("a record is cut short")
        before, record = record, record[:equal] + new
        at += length - equal
        if record <= before:
            raise Refused("the records are not in order")
        if not 0 <= depth < 1 << 32:
            raise Refused("a depth is out of range")
        states[record] = depth
    if at != len(rest):
        raise Refused("a section has more than it needs")
    return states


class Klotski:
    """A board is a tuple of characters, `.` for a blank and `#` for a wall."""

    def __init__(self, text, metric):
        self.metric, rows, self.goals, self.locks = metric, [], {}, {}
        for line in text.split("\n"):
            if line.startswith("goal:"):
                piece, _, place = line[5:].split()
                row, column = place.split(",")
                self.goals[piece] = (int(row) - 1, int(column) - 1)
            elif line.startswith("lock:"):
                axis, *names = line[5:].split()
                if axis not in ("horizontal", "vertical") or not names:
                    raise SystemExit("error: expected `lock: horizontal` or `lock: vertical` and pieces")
                self.locks.update((name, axis) for name in "".join(names))
            elif line.strip():
                rows.extend(line.strip().split("/"))
        self.columns, self.rows = len(rows[0]), len(rows)
        if any(len(row) != self.columns for row in rows):
            raise SystemExit("error: the rows of the board differ in length")
        self.start = tuple("".join(rows))
        if not self.goals:
            large = [name for name in sorted(set(self.start) - set(".#")) if self.start.count(name) == 4]
            self.goals = {large[0]: (3, 1)}
        self.kinds, self.names = [], {}
        for cell, name in enumerate(self.start):
            if name in ".#" or name in self.names:
                continue
            kind = (self.shape(self.start, name), self.locks.get(name), name if name in self.goals else None)
            if kind not in self.kinds:
                self.kinds.append(kind)
            self.names[name] = self.kinds.index(kind) + 1

    def cells(self, board, name):
        return [cell for cell, other in enumerate(board) if other == name]

    def shape(self, board, name):
        places = [divmod(cell, self.columns) for cell in self.cells(board, name)]
        return tuple((row - places[0][0], column - places[0][1]) for row, column in places)

    def record(self, board):
        seen, record = set(), []
        for name in board:
            if name == ".":
                record.append(0)
            elif name != "#" and name not in seen:
                seen.add(name)
                record.append(self.names[name])
        return bytes(record)

    def board(self, record):
        board = ["#" if name == "#" else None for name in self.start]
        left = {kind: [name for name in self.names if self.names[name] == kind] for kind in self.names.values()}
        cell = 0
        for kind in record:
            while cell < len(board) and board[cell] is not None:
                cell += 1
            if cell == len(board):
                return None
            if kind == 0:
                board[cell] = "."
                continue
            if not left.get(kind):
                return None
            name = left[kind].pop(0)
            row, column = divmod(cell, self.columns)
            for down, right in self.kinds[kind - 1][0]:
                there = (row + down) * self.columns + column + right
                if not (0 <= column + right < self.columns and there < len(board)) or board[there] is not None:
                    return None
                board[there] = name
        return None if None in board or any(left.values()) else tuple(board)

    def mirror(self, board):
        image = tuple(
            board[row * self.columns + self.columns - 1 - column]
            for row in range(self.rows)
            for column in range(self.columns)
        )
        walls = all((one == "#") == (other == "#") for one, other in zip(image, self.start))
        shapes = all(self.shape(image, name) == self.kinds[self.names[name] - 1][0] for name in self.names)
        return image if walls and shapes else None

    def shifted(self, board, name, places, direction):
        down, right = direction
        moved = frozenset((row + down, column + right) for row, column in places)
        for row, column in moved:
            if not (0 <= row < self.rows and 0 <= column < self.columns):
                return None
            if board[row * self.columns + column] not in (".", name):
                return None
        return moved

    DIRECTIONS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}

    def ways(self, name):
        axis = self.locks.get(name)
        return [way for way, (down, _) in self.DIRECTIONS.items() if axis in (None, "vertical" if down else "horizontal")]

    def put(self, board, name, places):
        new = ["." if other == name else other for other in board]
        for row, column in places:
            new[row * self.columns + column] = name
        return tuple(new)

    def successors(self, board):
        for name in self.names:
            start = frozenset(divmod(cell, self.columns) for cell in self.cells(board, name))
            reached, queue = {start}, [(start, "")]
            for places, path in queue:
                for way in self.ways(name):
                    if self.metric == "unit" and path or self.metric == "straight" and path and path[0] != way:
                        continue
                    moved = self.shifted(board, name, places, self.DIRECTIONS[way])
                    if moved is not None and moved not in reached:
                        reached.add(moved)
                        queue.append((moved, path + way))
                        yield self.put(board, name, moved)

    def play(self, board, line):
        name, path = line[:1], line[1:]
        if name not in self.names:
            raise Refused(f"`{line}` is no move of a piece")
        start = places = frozenset(divmod(cell, self.columns) for cell in self.cells(board, name))
        turns = self.metric == "straight" and len(set(path)) > 1
        if not start or not path or turns or self.metric == "unit" and len(path) > 1:
            raise Refused(f"`{line}` is no move")
        for way in path:
            if way not in self.ways(name):
                raise Refused(f"`{line}` is no move of this piece")
            places = self.shifted(board, name, places, self.DIRECTIONS[way])
            if places is None:
                raise Refused(f"`{line}` is blocked")
        if places == start:
            raise Refused(f"`{line}` ends where it starts")
        return self.put(board, name, places)

    def is_solved(self, board):
        return all(divmod(board.index(name), self.columns) == goal for name, goal in self.goals.items())

    def reversed(self):
        raise Refused("moves of this puzzle cannot be undone")

    def use(self, numbers):
        raise Refused("nothing follows from numbers in this puzzle")

    def bound(self, board):
        return 0


class BlackWhite:
    """A board is a string of `0`, `1` and `#`."""

    def __init__(self, text, _):
        one, other = text.strip().replace(".", "0").replace("X", "1").split("\n\n")
        rows = one.split()
        self.columns, self.rows = len(rows[0]), len(rows)
        self.start, self.target = "".join(rows), "".join(other.split())
        self.prices = None

    def record(self, board):
        bits = board.replace("#", "0").ljust(-(-len(board) // 8) * 8, "0")
        return bytes(int(bits[at:at + 8], 2) for at in range(0, len(bits), 8))

    def board(self, record):
        bits = "".join(f"{byte:08b}" for byte in record)
        pairs = list(zip(bits, self.start))
        if any(wall == "#" and bit == "1" for bit, wall in pairs) or "1" in bits[len(self.start):]:
            return None
        return "".join("#" if wall == "#" else bit for bit, wall in pairs)

    def mirror(self, board):
        rows = [board[at:at + self.columns][::-1] for at in range(0, len(board), self.columns)]
        image = "".join(rows)
        same = all((one == "#") == (other == "#") for one, other in zip(image, self.start))
        return image if same else None

    def neighbours(self, cell):
        """To the east and to the south."""
        east = [cell + 1] if (cell + 1) % self.columns else []
        return east + ([cell + self.columns] if cell + self.columns < len(self.start) else [])

    def exchanged(self, board, one, other):
        if "#" in (board[one], board[other]) or board[one] == board[other]:
            return None
        new = list(board)
        new[one], new[other] = board[other], board[one]
        return "".join(new)

    def successors(self, board):
        for cell in range(len(board)):
            for other in self.neighbours(cell):
                new = self.exchanged(board, cell, other)
                if new is not None:
                    yield new

    def play(self, board, line):
        digits = list(line) if line.isdigit() else line.replace(",", " ").replace("-", " ").split()
        row, column, other_row, other_column = (int(digit) - 1 for digit in digits)
        if not {row, other_row} <= set(range(self.rows)) or not {column, other_column} <= set(range(self.columns)):
            raise Refused(f"`{line}` is not on the board")
        apart = abs(row - other_row) + abs(column - other_column)
        new = self.exchanged(board, row * self.columns + column, other_row * self.columns + other_column)
        if apart != 1 or new is None:
            raise Refused(f"`{line}` is no move")
        return new

    def is_solved(self, board):
        return board == self.target

    def reversed(self):
        """The boards from the target to the start."""
        other = copy.copy(self)
        other.start, other.target = self.target, self.start
        return other

    def use(self, prices):
        """Takes prices of the cells, which must differ by at most 1 between neighbours."""
        if len(prices) != len(self.start):
            raise Refused("it has another number of prices than cells")
        self.prices, steps = prices, set()
        for cell in range(len(prices)):
            for other in self.neighbours(cell):
                if "#" not in (self.start[cell], self.start[other]):
                    steps.add(abs(prices[cell] - prices[other]))
        if not steps <= {0, 1}:
            raise Refused("prices of neighbours differ by more than 1")
        self.are_equal = 1 not in steps

    def bound(self, board):
        """The fewest moves from a board that follow from the prices, or None if there is no plan."""
        if self.prices is None:
            return 0
        sums = [sum(price for price, piece in zip(self.prices, b) if piece == "1") for b in (board, self.target)]
        return None if self.are_equal and sums[0] != sums[1] else abs(sums[1] - sums[0])


def unescaped(value):
    """A value of a field: `\\n` is a line feed, and `\\\\` a backslash."""
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], value)


def check(puzzle, kind, metric, data):
    """The claim, if the certificate proves it."""
    parts = sections(data)
    if "c" not in parts:
        raise Refused("it has no claim")
    lines = parts["c"].decode().rstrip("\n").split("\n")
    fields = dict(line.split("\t", 1) for line in lines)
    if len(fields) != len(lines) or len(lines) > 16:
        raise Refused("it has fields that are not known")
    text = unescaped(fields["board" if kind == "klotski" else "boards"])
    try:
        is_same = type(puzzle)(text, metric).__dict__ == puzzle.__dict__
    except SystemExit as error:
        raise Refused("its board is not readable") from error
    if fields["puzzle"] != kind or not is_same:
        raise Refused("it is about another board")
    if kind == "klotski" and fields["metric"] != metric:
        raise Refused("it is about another metric")
    name, *numbers = fields["claim"].split(" ")
    if any(re.fullmatch("[0-9]{1,20}", number) is None for number in numbers):
        raise Refused("its claim is not readable")
    numbers = [int(number) for number in numbers]
    if name == "optimal" and len(numbers) != 1 or name == "unsolvable" and numbers:
        raise Refused("its claim is not readable")
    end = 1 << 32
    if name == "optimal":
        board, plan = puzzle.start, parts["p"].decode().splitlines()
        for line in plan:
            board = puzzle.play(board, line)
        if not puzzle.is_solved(board) or len(plan) != numbers[0]:
            raise Refused("its plan does not solve the board in this number of moves")
        end = numbers[0]
    elif name not in ("unsolvable", "layers"):
        raise Refused("its claim is not known")
    if fields["part"] != "whole":
        raise Refused("this puzzle has no parts")
    evidence = differences(parts.get("v", b""))
    if len(evidence) != int(fields["numbers"]) or name == "layers" and evidence:
        raise Refused("it has another number of numbers")
    if evidence:
        puzzle.use(evidence)
    count, length, mirrors = fields["states"].split(" ")
    states = read_states(parts, "stu", int(count), int(length))
    has_mirrors = mirrors == "yes" and name != "layers"
    if fields["back"] == "none":
        reached = check_ball(puzzle, states, name, end, has_mirrors)
        if name == "layers":
            layers = collections.Counter(states.values())
            if reached != set(states) or layers != dict(enumerate(numbers)) or layers[0] != 1:
                raise Refused("the layers are others")
        return fields["claim"]
    if name != "optimal" or evidence or has_mirrors:
        raise Refused("states from the goal are of a plan, without mirror images and numbers")
    back_count, back_end = map(int, fields["back"].split(" "))
    if not 1 <= back_end <= end:
        raise Refused("its states from the goal end at another depth")
    back = read_states(parts, "wxy", back_count, int(length))
    check_ball(puzzle, states, name, end + 1 - back_end, False)
    check_ball(puzzle.reversed(), back, name, back_end, False)
    if any(depth + back[record] < end for record, depth in states.items() if record in back):
        raise Refused("a board of both balls is in a plan of fewer moves")
    return fields["claim"]


def check_ball(puzzle, states, name, end, has_mirrors):
    """Checks states with depths below an end, and returns the records of those that were reached."""
    is_exact = name == "layers"

    def is_exempt(board, depth):
        """Whether a board at this depth is in no plan that the claim denies."""
        bound = puzzle.bound(board)
        return not is_exact and (bound is None or name == "optimal" and depth + bound >= end)

    def images(board):
        yield board
        if has_mirrors:
            image = puzzle.mirror(board)
            if image is not None:
                yield image

    def find(board):
        return min((states[record] for record in map(puzzle.record, images(board)) if record in states), default=None)

    if find(puzzle.start) != 0 and not is_exempt(puzzle.start, 0):
        raise Refused("the start does not have depth 0")
    reached = {puzzle.record(puzzle.start)}
    for record, depth in states.items():
        stored = puzzle.board(record)
        if stored is None or puzzle.record(stored) != record:
            raise Refused("a record is that of no board")
        if depth >= end:
            raise Refused("a depth is too great")
        for board in images(stored):
            if not is_exact and puzzle.is_solved(board):
                raise Refused(f"a board of depth {depth} is solved")
            if depth >= end - 1:
                continue
            for successor in puzzle.successors(board):
                found = find(successor)
                if (found is None or found > depth + 1) and not is_exempt(successor, depth + 1):
                    raise Refused(f"a successor of a board of depth {depth} is missing, or too deep")
                if found == depth + 1:
                    reached.add(puzzle.record(successor))
    return reached


def main(arguments):
    puzzles = {"klotski": Klotski, "black-white": BlackWhite}
    if len(arguments) not in (3, 4) or arguments[0] not in puzzles:
        print(__doc__, file=sys.stderr)
        return 2
    metric = arguments[3] if len(arguments) == 4 else "rectilinear"
    if metric not in ("rectilinear", "straight", "unit"):
        print(__doc__, file=sys.stderr)
        return 2
    with open(arguments[1], encoding="utf-8") as file:
        puzzle = puzzles[arguments[0]](file.read(), metric)
    with open(arguments[2], "rb") as file:
        data = file.read()
    try:
        print(f"accepted: {check(puzzle, arguments[0], metric, data)}")
        return 0
    except (Refused, AttributeError, KeyError, ValueError, IndexError) as refusal:
        print(f"refused: {refusal}")
        return 11
    except MemoryError:
        print("stopped: out of memory", file=sys.stderr)
        return 20


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
