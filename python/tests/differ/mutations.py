"""What happens to files: lines lost, doubled and swapped, other separators, comments, line ends, encodings, stray words."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Callable
from random import Random

_WORD = re.compile(r"[^\s,;]+")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_STRAYS = ("0", "1", "2", "3", "7", "-1", "1.5", "1e3", "1/2", "x", "a", "v1", "--", "->", ":", "|", ",", ";", "#", "%", "# 1 2", "NaN", "nan", "inf", "1+2j",
           "2i", "(1,2)", "weight", "source target", "e", "c", "p", "[", "]", "{", "}", '"', "''", "=", "é", "\u00a0", "1 2", "1 2 3", "\x0c", "\x00", "NA", "None", "True")
_COMMENTS = ("# a comment", "#", "% of another program", "c said so", "// no", "#1 2", "# 1 2", "%%", "! x", "; y", "#! vertex 9")
_SEPARATORS = (" ", "\t", ",", ";", ", ", "  ", " -- ", " -> ", " : ", "|", "\t\t", " ,", "\u00a0")


def _line(random: Random, lines: list[str]) -> int:
    return random.randrange(len(lines))


def _drop(random: Random, lines: list[str]) -> None:
    del lines[_line(random, lines)]


def _double(random: Random, lines: list[str]) -> None:
    at = _line(random, lines)
    lines.insert(at, lines[at])


def _swap_lines(random: Random, lines: list[str]) -> None:
    a, b = _line(random, lines), _line(random, lines)
    lines[a], lines[b] = lines[b], lines[a]


def _blank(random: Random, lines: list[str]) -> None:
    lines.insert(random.randint(0, len(lines)), random.choice(("", " ", "\t")))


def _comment(random: Random, lines: list[str]) -> None:
    lines.insert(random.randint(0, len(lines)), random.choice(_COMMENTS))


def _comment_behind(random: Random, lines: list[str]) -> None:
    lines[_line(random, lines)] += random.choice((" ", "")) + random.choice(_COMMENTS)


def _in_line(change: Callable[[Random, str], str]) -> Callable[[Random, list[str]], None]:
    def mutate(random: Random, lines: list[str]) -> None:
        at = _line(random, lines)
        lines[at] = change(random, lines[at])

    return mutate


def _in_all(change: Callable[[Random, str], str]) -> Callable[[Random, list[str]], None]:
    def mutate(random: Random, lines: list[str]) -> None:
        seed = random.random()
        for at, line in enumerate(lines):
            lines[at] = change(Random(seed), line)  # the same in every line

    return mutate


def _separator(random: Random, line: str) -> str:
    return random.choice(_SEPARATORS).join(_WORD.findall(line))


def _one_separator(random: Random, line: str) -> str:
    return re.sub(r"[ \t,;]+", random.choice(_SEPARATORS), line, count=1)


def _around(random: Random, line: str) -> str:
    return random.choice(("", " ", "\t", ",", ";")) + line + random.choice((" ", "\t", ",", ";", "  "))


def _replaced(random: Random, pattern: re.Pattern[str], line: str, change: Callable[[str], str]) -> str:
    found = list(pattern.finditer(line))
    if not found:
        return line
    one = random.choice(found)
    return line[: one.start()] + change(one.group()) + line[one.end() :]


def _number(random: Random, line: str) -> str:
    def other(text: str) -> str:
        value = float(text)
        ways = [str(int(value) + 1), str(int(value) - 1), "0", "1", "-" + text, text + "0", "0" + text, text + ".0", text + ".5", text + "e0", "+" + text,
                text + "d0", text + "j", str(random.randint(0, 12)), "1" + text, text + "/2", text + "x"]
        return random.choice(ways)

    return _replaced(random, _NUMBER, line, other)


def _case(random: Random, line: str) -> str:
    return _replaced(random, _WORD, line, str.swapcase)


def _drop_word(random: Random, line: str) -> str:
    return _replaced(random, _WORD, line, lambda word: "")


def _double_word(random: Random, line: str) -> str:
    return _replaced(random, _WORD, line, lambda word: word + " " + word)


def _quote(random: Random, line: str) -> str:
    mark = random.choice("\"'")
    return _replaced(random, _WORD, line, lambda word: mark + word + mark)


def _quote_all(random: Random, line: str) -> str:
    return _WORD.sub(lambda found: f'"{found.group()}"', line)


def _stray(random: Random, line: str) -> str:
    words = list(_WORD.finditer(line))
    at = random.choice([0, len(line)] + [word.start() for word in words])
    stray = random.choice(_STRAYS)
    return line[:at] + stray + random.choice((" ", " ", "", ",")) + line[at:]


def _character(random: Random, line: str) -> str:
    at = random.randint(0, len(line))
    return line[:at] + random.choice(("", random.choice("01239.-+#%,;:|\"'()[]{}<>=/\\eEdjxA \t\r\x0b\u2028"))) + line[at + random.randint(0, 1) :]


def _columns(random: Random, line: str) -> str:
    words = list(_WORD.finditer(line))
    order = list(range(len(words)))
    random.shuffle(order)
    parts, end = [], 0
    for word, other in zip(words, order):
        parts += [line[end : word.start()], words[other].group()]
        end = word.end()
    return "".join(parts) + line[end:]


def _head(random: Random, lines: list[str]) -> None:
    numbers = [int(n) for n in re.findall(r"\d+", "\n".join(lines))] or [1]
    n, m = max(numbers), len(lines)
    if n > 99:
        n = 9
    lines.insert(0, random.choice((f"{n} {m}", f"{n}", f"{n // 2} {n // 2} {m}", f"{n},{m}", f"{n + 1} {m}", "source target", "u v", "a b", "source,target",
                                   "from,to,weight", "i j w", "x,y", "id,source,target", "1 2", f"{m} {n}")))


def _join(random: Random, lines: list[str]) -> None:
    at = _line(random, lines)
    if at + 1 < len(lines):
        lines[at : at + 2] = [lines[at] + random.choice((" ", "", "\\", ";")) + lines[at + 1]]


def _split(random: Random, lines: list[str]) -> None:
    at = _line(random, lines)
    words = list(_WORD.finditer(lines[at]))
    if len(words) > 1:
        cut = random.choice(words[1:]).start()
        lines[at : at + 1] = [lines[at][:cut], lines[at][cut:]]


_OF_LINES: tuple[Callable[[Random, list[str]], None], ...] = (
    _drop, _double, _swap_lines, _blank, _comment, _comment_behind, _head, _join, _split, _in_line(_separator), _in_all(_separator), _in_line(_one_separator),
    _in_line(_around), _in_all(_around), _in_line(_number), _in_line(_number), _in_line(_number), _in_line(_case), _in_all(_case), _in_line(_drop_word),
    _in_line(_double_word), _in_line(_quote), _in_all(_quote_all), _in_line(_stray), _in_line(_stray), _in_line(_character), _in_line(_character),
    _in_all(_columns), _in_line(_columns),
)


def _of_bytes(random: Random, data: bytes) -> bytes:
    at = random.randint(0, len(data))
    kind = random.randrange(6)
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + bytes([random.randrange(256)]) + data[at + 1 :]
    if kind == 2:
        return data[:at] + data[at + 1 :]
    if kind == 3:
        return data[:at] + bytes([random.choice((0, 1, 10, 32, 35, 48, 63, 126, 255))]) + data[at:]
    if kind == 4 and at < len(data):
        return data[:at] + bytes([data[at] ^ (1 << random.randrange(8))]) + data[at + 1 :]
    end = random.randint(at, min(len(data), at + 8))
    return data[:end] + data[at:]


def mutated_text(random: Random, text: str, times: int) -> bytes:
    """The text after as many changes, and with line ends and an encoding of its own now and then."""
    for _ in range(times):
        if random.random() < 0.06:
            text = text[: random.randint(0, len(text))]
            continue
        lines = text.split("\n")
        last = lines.pop() if lines and not lines[-1] and len(lines) > 1 else None
        random.choice(_OF_LINES)(random, lines)
        if last is not None and random.random() < 0.97:
            lines.append(last)
        text = "\n".join(lines)
    way = random.randrange(24) if times else 99
    if way < 2:
        text = text.replace("\n", "\r\n")
    elif way == 2:
        text = text.replace("\n", "\r")
    elif way == 3:
        text = text.replace("\n", "\r\n", random.randint(1, 3))
    data = text.encode("utf-8", "surrogatepass")
    if way in (4, 5):
        data = b"\xef\xbb\xbf" + data
    elif way == 6:
        data = text.encode("utf-16", "surrogatepass")
    elif way == 7:
        data = _of_bytes(random, data)
    return data


def mutated_bytes(random: Random, data: bytes, times: int) -> bytes:
    """The same of what is no text; of archives often a member, before it is packed, as checksums find it after."""
    for _ in range(times):
        data = _of_archive(random, data) if data.startswith(b"PK") and random.random() < 0.7 else _of_bytes(random, data)
    return data


def _of_archive(random: Random, data: bytes) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            members = {name: packed.read(name) for name in packed.namelist()}
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError):
        return data
    if not members:
        return data
    name = random.choice(list(members))
    content = members[name]
    # More in the numbers than in the header, and small ones, which stay indices.
    if content and random.random() < 0.7:
        at = random.randrange(min(128, len(content) - 1), len(content))
        members[name] = content[:at] + bytes([random.choice((0, 1, 2, 3, content[at] ^ 1))]) + content[at + 1 :]
    else:
        members[name] = _of_bytes(random, content)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for member, what in members.items():
            packed.writestr(member, what)
    return out.getvalue()
