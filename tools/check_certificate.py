#!/usr/bin/env python3
"""Checks certificates of klotski, black-white and Sokoban, with the standard library only.

    check_certificate.py klotski BOARD CERTIFICATE [METRIC]
    check_certificate.py black-white BOARDS CERTIFICATE
    check_certificate.py sokoban LEVEL CERTIFICATE [METRIC]

BOARD and BOARDS are files with the text of an instance as `list --json` or `convert --to board` prints it.
LEVEL is a file with one level, as the example `sokoban_certificate` writes it with its certificate.
METRIC of klotski is rectilinear (the default), straight or unit; that of Sokoban is moves (the default),
pushes-then-moves, or what a step and a push cost, such as 1,3. The file format is described in docs/certificates.md. This
program shares no code with the others. Exit codes: 0 accepted, 11 refused, 20 out of memory, 2 bad usage.
"""

import collections
import copy
import io
import re
import struct
import sys
import zlib

# The most bytes of the file, and of what its states take here; of the head; and of the plan.
MEMORY, MAX_HEAD, MAX_PLAN = 2 << 30, 16 << 20, 64 << 20
# What a state takes here beside its record, at most; and what moves of cost 0 take in addition.
STATE_BYTES, FREE_BYTES = 250, 600
MAX_FIELDS = 16
U32, U64 = 1 << 32, 1 << 64


class Refused(Exception):
    """Why a certificate is refused."""


class Section:
    """The bytes of a section, one after the other. At most as many are inflated as it says it has."""

    def __init__(self, size, stored):
        self.size, self.left, self.stored = size, size, io.BytesIO(stored)
        # What is inflated, and how much of it is read.
        self.decoder, self.block, self.at = zlib.decompressobj(-15), b"", 0

    def read(self, size):
        if size > self.left:
            raise Refused("a section has fewer bytes than it needs")
        self.left -= size
        parts = []
        while size > len(self.block) - self.at:
            parts.append(self.block[self.at:])
            size -= len(parts[-1])
            self.block, self.at = self.inflate(), 0
            if not self.block:
                raise Refused("a section is damaged")
        parts.append(self.block[self.at:self.at + size])
        self.at += size
        return b"".join(parts)

    def inflate(self):
        """Some bytes; none at the end."""
        while not self.decoder.eof:
            stored = self.decoder.unconsumed_tail or self.stored.read(1 << 16)
            try:
                block = self.decoder.decompress(stored, 1 << 16)
            except zlib.error as error:
                raise Refused("a section is damaged") from error
            if block or not stored:
                return block
        return b""

    def number(self):
        """A number in seven bits of each byte."""
        number = shift = 0
        while True:
            byte = self.read(1)[0]
            number |= (byte & 0x7F) << shift
            if shift > 63 or number >= U64:
                raise Refused("a number is too large")
            if byte < 0x80:
                return number
            shift += 7

    def text(self, most):
        if self.size > most:
            raise Refused("a section is too long")
        text = self.read(self.size)
        self.end()
        try:
            return text.decode()
        except UnicodeDecodeError as error:
            raise Refused("a section is no text") from error

    def end(self):
        if self.left or self.at < len(self.block) or self.inflate() or not self.decoder.eof:
            raise Refused("a section has more bytes than it needs")
        if self.decoder.unused_data or self.stored.read(1):
            raise Refused("a section has more bytes than it needs")


class Differences:
    """Numbers of which each is stored as its difference to the one before."""

    def __init__(self, section):
        self.section, self.last = section, 0

    def next(self):
        bits = self.section.number()
        self.last += -(bits >> 1) - 1 if bits % 2 else bits >> 1
        if not -U64 // 2 <= self.last < U64 // 2:
            raise Refused("a number is not in range")
        return self.last


def sections(data):
    """The sections of a file by their tags, in their order."""
    magic = b"fewest-certificate 1\n"
    if not data.startswith(magic) or len(data) < len(magic) + 4:
        raise Refused("it does not begin as a certificate")
    end = len(data) - 4
    if zlib.crc32(memoryview(data)[:end]) != struct.unpack("<I", data[end:])[0]:
        raise Refused("its checksum does not match")
    at, found = len(magic), {}
    while at < end:
        if at + 17 > end:
            raise Refused("it is cut short")
        tag, size, stored = struct.unpack("<BQQ", data[at:at + 17])
        at += 17
        if chr(tag) not in "cpstuvwxy" or any(chr(tag) <= other for other in found):
            raise Refused("its sections are wrong")
        if stored > end - at:
            raise Refused("it is cut short")
        found[chr(tag)] = Section(size, data[at:at + stored])
        at += stored
    return found


def read_states(parts, tags, count, length, more=0):
    """The records with their depths."""
    if count >= U32 or count * (length + STATE_BYTES + more) > MEMORY:
        raise MemoryError
    shared, rest = parts[tags[0]], parts[tags[1]]
    if shared.size != count:
        raise Refused("it has another number of states")
    depths = Differences(parts[tags[2]]) if tags[2] in parts else None
    states, record = {}, bytes(length)
    for number in range(count):
        equal = shared.read(1)[0]
        if equal >= length or number == 0 and equal > 0:
            raise Refused("the records are not in order")
        before, record = record[equal], record[:equal] + rest.read(length - equal)
        if number > 0 and record[equal] <= before:
            raise Refused("the records are not in order")
        depth = depths.next() if depths else 0
        if not 0 <= depth < U32:
            raise Refused("a depth is out of range")
        states[record] = depth
    for tag in tags:
        if tag in parts:
            parts[tag].end()
    return states


class Klotski:
    """A board is a tuple of characters, `.` for a blank and `#` for a wall."""

    costs = (1, 1)

    def __init__(self, text, metric):
        self.metric, rows, self.goals, self.locks = metric, [], {}, {}
        # The pieces that may enter each cell with a gate.
        self.gates = {}
        for line in text.split("\n"):
            if line.startswith("goal:"):
                piece, _, place = line[5:].split()
                row, column = place.split(",")
                self.goals[piece] = (int(row) - 1, int(column) - 1)
            elif line.startswith("lock:"):
                axis, *names = line[5:].split()
                if axis not in ("horizontal", "vertical") or not names:
                    raise ValueError("expected `lock: horizontal` or `lock: vertical` and pieces")
                self.locks.update((name, axis) for name in "".join(names))
            elif line.startswith("gate:"):
                piece, _, *places = line[5:].split()
                for place in places:
                    row, column = place.split(",")
                    self.gates.setdefault((int(row) - 1, int(column) - 1), set()).add(piece)
            elif line.strip():
                rows.extend(line.strip().split("/"))
        self.columns, self.rows = len(rows[0]), len(rows)
        if any(len(row) != self.columns for row in rows):
            raise ValueError("the rows of the board differ in length")
        self.start = tuple("".join(rows))
        if not self.goals:
            large = [name for name in sorted(set(self.start) - set(".#")) if self.start.count(name) == 4]
            self.goals = {large[0]: (3, 1)}
        self.kinds, self.names = [], {}
        for cell, name in enumerate(self.start):
            if name in ".#" or name in self.names:
                continue
            gates = sorted(place for place, names in self.gates.items() if name in names)
            goal = name if name in self.goals else None
            kind = (self.shape(self.start, name), self.locks.get(name), gates, goal)
            if kind not in self.kinds:
                self.kinds.append(kind)
            self.names[name] = self.kinds.index(kind) + 1
        self.length = len(self.record(self.start))

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
            if name not in self.gates.get((row, column), (name,)):
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
                        yield self.put(board, name, moved), 1

    def play(self, board, line):
        line = line.strip(" \t\r\n\f")
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
        return self.put(board, name, places), 1

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

    costs = (1, 1)

    def __init__(self, text, _):
        one, other = text.strip().replace(".", "0").replace("X", "1").split("\n\n")
        rows = one.split()
        self.columns, self.rows = len(rows[0]), len(rows)
        self.start, self.target = "".join(rows), "".join(other.split())
        self.prices, self.length = None, -(-len(self.start) // 8)

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
                    yield new, 1

    def play(self, board, line):
        words = re.split("[, \t\r\n\f]+", line.strip(" \t\r\n\f,")) if "," in line else list(line.strip(" \t\r\n\f"))
        if len(words) != 4 or any(re.fullmatch("0*[0-9]{1,5}", word, re.ASCII) is None for word in words):
            raise Refused(f"`{line}` is no move")
        row, column, other_row, other_column = (int(word[-5:]) - 1 for word in words)
        if not {row, other_row} <= set(range(self.rows)) or not {column, other_column} <= set(range(self.columns)):
            raise Refused(f"`{line}` is not on the board")
        apart = abs(row - other_row) + abs(column - other_column)
        new = self.exchanged(board, row * self.columns + column, other_row * self.columns + other_column)
        if apart != 1 or new is None:
            raise Refused(f"`{line}` is no move")
        return new, 1

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


class Sokoban:
    """A board is the set of the squares of boxes, and the square of the player."""

    METRICS = {"moves": "1,1", "pushes-then-moves": f"1,{(1 << 16) + 1}"}

    def __init__(self, text, metric):
        costs = self.METRICS.get(metric, metric).split(",")
        if len(costs) != 2 or not all(cost.isdecimal() for cost in costs):
            raise ValueError("expected the metric moves, pushes-then-moves, or two costs such as 1,3")
        self.step, self.push = map(int, costs)
        if not (0 <= self.step < U32 and 0 <= self.push < U32):
            raise ValueError("expected costs of 32 bits")
        self.costs = tuple(sorted((self.step, self.push)))
        rows = [row for row in text.split("\n") if row.strip()]
        self.columns, self.rows = max(map(len, rows)), len(rows)
        level = "".join(row.ljust(self.columns) for row in rows)
        if len(level) > 128:
            raise ValueError("expected at most 128 squares")
        players = [square for square, name in enumerate(level) if name in "@+"]
        if len(players) != 1:
            raise ValueError("expected one player")
        self.player = players[0]
        self.ways = {"l": -1, "r": 1, "u": -self.columns, "d": self.columns}
        self.floor, queue = {self.player}, [self.player]
        for square in queue:
            row, column = divmod(square, self.columns)
            if not (0 < row < self.rows - 1 and 0 < column < self.columns - 1):
                raise ValueError("expected walls around the player")
            reached = {square + way for way in self.ways.values() if level[square + way] != "#"} - self.floor
            self.floor |= reached
            queue.extend(reached)
        self.goals = frozenset(square for square in self.floor if level[square] in ".*+")
        self.start = frozenset(square for square in self.floor if level[square] in "$*"), self.player
        counts = [sum(level.count(name) for name in names) for names in (".*+", "$*")]
        if counts != [len(self.goals), len(self.start[0])] or counts[0] != counts[1]:
            raise ValueError("expected as many boxes as goals, all within the walls")
        self.pushes, self.length = None, 1 + -(-len(level) // 8)
        shown = "".join(name if square in self.floor else "#" for square, name in enumerate(level))
        self.text = "".join(shown[at:at + self.columns] + "\n" for at in range(0, len(level), self.columns))

    def record(self, board):
        bits = sum(1 << (self.length * 8 - 9 - square) for square in board[0])
        return bytes([board[1]]) + bits.to_bytes(self.length - 1, "big")

    def board(self, record):
        bits = int.from_bytes(record[1:], "big")
        boxes = frozenset(square for square in range(self.length * 8 - 8) if bits >> (self.length * 8 - 9 - square) & 1)
        is_board = boxes <= self.floor and len(boxes) == len(self.goals) and record[0] in self.floor - boxes
        return (boxes, record[0]) if is_board else None

    def moved(self, board, way, is_push):
        """The board after a step, which pushes a box or does not; None if it is illegal."""
        boxes, to = board[0], board[1] + self.ways[way]
        if to not in self.floor or (to in boxes) != is_push:
            return None
        if is_push:
            beyond = to + self.ways[way]
            if beyond not in self.floor or beyond in boxes:
                return None
            boxes = boxes - {to} | {beyond}
        return boxes, to

    def successors(self, board):
        for way in self.ways:
            for is_push, cost in ((False, self.step), (True, self.push)):
                new = self.moved(board, way, is_push)
                if new is not None:
                    yield new, cost

    def play(self, board, line):
        new = self.moved(board, line.lower(), line.isupper()) if line.lower() in self.ways else None
        if new is None:
            raise Refused(f"`{line}` is no move")
        return new, self.push if line.isupper() else self.step

    def is_solved(self, board):
        return board[0] == self.goals

    def mirror(self, board):
        return None

    def reversed(self):
        raise Refused("pushes of this puzzle cannot be undone")

    def use(self, pushes):
        """Takes the pushes from each square to a goal, or -1: a push of a box must not lower them by more than 1."""
        if len(pushes) != self.columns * self.rows or any(left < -1 for left in pushes):
            raise Refused("expected a number of pushes for each square, or -1")
        if any(pushes[goal] for goal in self.goals):
            raise Refused("a goal is not 0 pushes away")
        for square in self.floor:
            for way in self.ways.values():
                if {square - way, square + way} <= self.floor and pushes[square + way] >= 0:
                    if not 0 <= pushes[square] <= pushes[square + way] + 1:
                        raise Refused("a push brings a box nearer by more than a push")
        self.pushes = pushes

    def bound(self, board):
        """The least cost of a plan from a board that follows from the pushes, or None if there is no plan."""
        if self.pushes is None:
            return 0
        left = [self.pushes[square] for square in board[0]]
        return None if -1 in left else sum(left) * self.push


def unescaped(value):
    """A value of a field: `\\n` is a line feed, and `\\\\` a backslash."""
    if re.fullmatch(r"(?:[^\\]|\\[n\\])*", value, re.DOTALL) is None:
        raise Refused("its claim is not readable")
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], value)


def plain(text, end):
    """A number of digits below an end."""
    digits = text.lstrip("0")
    if re.fullmatch("[0-9]+", text, re.ASCII) is None or len(digits) > 20 or int(digits or "0") >= end:
        raise Refused("its claim is not readable")
    return int(digits or "0")


def head(text):
    """The lines of a head: what the rules depend on, and the other fields by their names."""
    if not text.endswith("\n") or text.count("\n") > MAX_FIELDS:
        raise Refused("its claim is not readable")
    lines = [line.partition("\t") for line in text[:-1].split("\n")]
    if any(not tab for _, tab, _ in lines):
        raise Refused("its claim is not readable")
    fields = [(name, unescaped(value)) for name, _, value in lines]
    names = ["claim", "part", "states", "numbers", "back"]
    if [name for name, _ in fields[-5:]] != names:
        raise Refused("its claim is not readable")
    return fields[:-5], dict(fields[-5:])


def read_claim(text):
    """The name of a claim and its numbers."""
    name, *numbers = text.split(" ")
    numbers = [plain(number, U32 if name == "optimal" else U64) for number in numbers]
    known = {"optimal": len(numbers) == 1, "unsolvable": not numbers, "layers": bool(numbers and numbers[-1])}
    if not known.get(name):
        raise Refused("its claim is not readable")
    return name, numbers


def shown(name, numbers, costs):
    """A claim in words."""
    if name == "layers":
        most = f"in at most {len(numbers) - 1} moves" if costs == (1, 1) else f"at a cost of at most {len(numbers) - 1}"
        return f"{sum(numbers)} boards can be reached, {most}"
    if name == "unsolvable":
        return "no plan solves it"
    if costs == (1, 1):
        return f"a plan of {numbers[0]} moves solves it, and none is shorter"
    return f"a plan that costs {numbers[0]} solves it, and none is cheaper"


def check_plan(puzzle, text, claimed):
    """Plays the lines of a plan."""
    board, total = puzzle.start, 0
    lines = text.removeprefix("\ufeff").split("\n")
    for line in lines if lines[-1] else lines[:-1]:
        if total + puzzle.costs[0] > claimed:
            raise Refused("its plan costs more than is claimed")
        board, cost = puzzle.play(board, line.removesuffix("\r"))
        total += cost
    if total != claimed or not puzzle.is_solved(board):
        raise Refused("its plan does not solve the board at this cost")


def plain_board(text):
    """The text of a board as certificates have it: its rows on lines, and digits for pieces of black-white."""
    first, newline, rest = text.partition("\n")
    lines = (first.replace("/", "\n") + newline + rest).strip()
    return (lines.replace("X", "1").replace(".", "0") if set(lines) <= set("X.01#\n") else lines) + "\n"


def check(puzzle, description, data):
    """The claim in words, if the certificate proves it."""
    parts = sections(data)
    if "c" not in parts:
        raise Refused("it has no claim")
    asked, fields = head(parts["c"].text(MAX_HEAD))
    name, numbers = read_claim(fields["claim"])
    if fields["part"] != "whole":
        raise Refused("this puzzle has no parts")
    words = fields["states"].split(" ")
    if len(words) != 3 or words[2] not in ("yes", "no"):
        raise Refused("its claim is not readable")
    count, length, has_mirrors = plain(words[0], U64), plain(words[1], U64), words[2] == "yes"
    priced, back = plain(fields["numbers"], U64), None
    if fields["back"] != "none":
        words = fields["back"].split(" ")
        if len(words) != 2:
            raise Refused("its claim is not readable")
        back = plain(words[0], U64), plain(words[1], U32)
    for found, (field, own) in zip(asked, description):
        if found != (field, own):
            raise Refused("it is about other costs" if field == "costs" else f"it is about another {field}")
    if len(asked) != len(description):
        raise Refused("it is about another puzzle")
    tags = {"optimal": "cpstuv", "unsolvable": "cstv", "layers": "cstu"}[name] + ("wxy" if back else "")
    if "".join(parts) != tags:
        raise Refused("it does not have the sections of its claim")
    if name == "layers" and (has_mirrors or priced or back):
        raise Refused("layers are without mirror images and numbers")
    end = numbers[0] if name == "optimal" else U32 - 1
    if name == "optimal":
        check_plan(puzzle, parts["p"].text(MAX_PLAN), end)
    if length != puzzle.length or length > 255 and count:
        raise Refused("its records have another length")
    if priced * 40 > MEMORY:
        raise MemoryError
    if "v" in parts:
        evidence = Differences(parts["v"])
        evidence = [evidence.next() for _ in range(priced)]
        parts["v"].end()
    if priced:
        puzzle.use(evidence)
    has_free_moves = name == "layers" and puzzle.costs[0] == 0
    states = read_states(parts, "stu", count, length, FREE_BYTES if has_free_moves else 0)
    if back is None:
        reached = check_ball(puzzle, states, name, end, has_mirrors, end)
        if name == "layers":
            layers = collections.Counter(states.values())
            found = [layers[depth] for depth in range(len(numbers))]
            if reached != set(states) or found != numbers or sum(numbers) != count:
                raise Refused("the layers are others")
        return shown(name, numbers, puzzle.costs)
    if has_mirrors or priced or name == "unsolvable":
        raise Refused("states from the goal are without mirror images and numbers")
    if not 1 <= back[1] <= end:
        raise Refused("its states from the goal end at another depth")
    from_goal = read_states(parts, "wxy", back[0], length)
    check_ball(puzzle, states, name, min(end, end - back[1] + max(puzzle.costs[1], 1)), False, end)
    check_ball(puzzle.reversed(), from_goal, name, back[1], False, end)
    if any(depth + from_goal[record] < end for record, depth in states.items() if record in from_goal):
        raise Refused("a board of both balls is in a cheaper plan")
    return shown(name, numbers, puzzle.costs)


def check_ball(puzzle, states, name, end, has_mirrors, cost):
    """Checks states with depths below an end, for a plan of a cost, and returns the records of those that were reached: the start, and
    those at which a plan of their depth arrives if that is true of all lesser depths."""
    is_exact = name == "layers"

    def is_exempt(board, depth):
        """Whether a board at this depth is in no plan that the claim denies."""
        bound = puzzle.bound(board)
        return not is_exact and (bound is None or name == "optimal" and depth + bound >= cost)

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
    reached, free = {puzzle.record(puzzle.start)}, collections.defaultdict(set)
    for record, depth in states.items():
        stored = puzzle.board(record)
        if stored is None or puzzle.record(stored) != record:
            raise Refused("a record is that of no board")
        if depth >= end:
            raise Refused("a depth is too great")
        for board in images(stored):
            if not is_exact and puzzle.is_solved(board):
                raise Refused(f"a board of depth {depth} is solved")
            if name == "optimal" and depth + puzzle.costs[0] >= end:
                continue
            for successor, cost in puzzle.successors(board):
                if name == "optimal" and depth + cost >= end:
                    continue
                found = find(successor)
                if (found is None or found > depth + cost) and not is_exempt(successor, depth + cost):
                    raise Refused(f"a successor of a board of depth {depth} is missing, or too deep")
                if is_exact and found == depth + cost:
                    (reached if cost else free[record]).add(puzzle.record(successor))
    # What moves of cost 0 reach.
    queue = list(reached) if free else []
    for record in queue:
        queue.extend(free.get(record, set()) - reached)
        reached |= free.get(record, set())
    return reached


def main(arguments):
    puzzles = {"klotski": Klotski, "black-white": BlackWhite, "sokoban": Sokoban}
    if arguments in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    if len(arguments) not in (3, 4) or arguments[0] not in puzzles:
        print(__doc__, file=sys.stderr)
        return 2
    is_sokoban = arguments[0] == "sokoban"
    metric = arguments[3] if len(arguments) == 4 else "moves" if is_sokoban else "rectilinear"
    if not is_sokoban and metric not in ("rectilinear", "straight", "unit"):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        with open(arguments[1], encoding="utf-8", newline="") as file:
            text = file.read()
        puzzle = puzzles[arguments[0]](text, metric)
        with open(arguments[2], "rb") as file:
            data = file.read(MEMORY + 1)
    except (OSError, ValueError, IndexError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    description = [("puzzle", arguments[0])]
    if is_sokoban:
        description += [("costs", f"{puzzle.step} {puzzle.push}"), ("level", puzzle.text)]
    elif arguments[0] == "klotski":
        description += [("metric", metric), ("board", plain_board(text))]
    else:
        description += [("boards", plain_board(text))]
    try:
        if len(data) > MEMORY:
            raise MemoryError
        print(f"accepted: {check(puzzle, description, data)}")
        return 0
    except Refused as refusal:
        # What others have written is shown in part, and without control characters.
        text = str(refusal)
        print("refused: " + ascii(text[:120])[1:-1])
        return 11
    except MemoryError:
        print("stopped: out of memory", file=sys.stderr)
        return 20


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
