"""Reads a NACHA file by the fixed columns of its records alone, and prints it as JSON. Any fault ends it."""

import json
import sys


def field(line, first, last):
    """Columns are counted from 1, as the tables of the format count them."""
    return line[first - 1 : last]


def main():
    data = sys.stdin.buffer.read()
    assert all(byte == 10 or 32 <= byte < 127 for byte in data), "only printable ASCII and line feeds"
    assert data.endswith(b"\n")
    lines = data.decode("ascii")[:-1].split("\n")
    assert all(len(line) == 94 for line in lines), "lines have 94 characters"
    assert len(lines) % 10 == 0, "blocks have ten lines"
    header, records = lines[0], lines[1:]
    assert field(header, 1, 3) == "101" and field(header, 35, 40) == "094101"
    end = next(i for i, line in enumerate(records) if line[0] == "9")
    assert all(line == "9" * 94 for line in records[end + 1 :]), "the last block is filled with nines"
    batches, batch = [], None
    for line in records[:end]:
        kind = line[0]
        if kind == "5":
            assert batch is None
            batch = {
                "class": field(line, 51, 53), "service": field(line, 2, 4), "effective": field(line, 70, 75),
                "odfi": field(line, 80, 87), "number": int(field(line, 88, 94)), "entries": [],
            }
        elif kind == "6":
            routing = field(line, 4, 12)
            digits = [int(c) for c in routing]
            assert sum(w * d for w, d in zip([3, 7, 1] * 3, digits)) % 10 == 0, "check digit of the routing number"
            batch["entries"].append({
                "code": field(line, 2, 3), "routing": routing, "account": field(line, 13, 29).strip(),
                "amount": str(int(field(line, 30, 39))), "id": field(line, 40, 54).strip(),
                "name": field(line, 55, 76).strip(), "addenda": int(field(line, 79, 79)), "trace": field(line, 80, 94),
            })
        elif kind == "7":
            entry = batch["entries"][-1]
            assert field(line, 2, 3) == "05" and entry["addenda"] == 1 and "remittance" not in entry
            assert field(line, 88, 94) == entry["trace"][-7:]
            entry["remittance"] = field(line, 4, 83).strip()
        elif kind == "8":
            check(line, 5, batch["entries"])
            assert field(line, 2, 4) == batch["service"] and field(line, 80, 87) == batch["odfi"]
            assert int(field(line, 88, 94)) == batch["number"] == len(batches) + 1
            batches.append(batch)
            batch = None
        else:
            raise AssertionError(f"a record of type {kind}")
    assert batch is None
    control = records[end]
    assert int(field(control, 2, 7)) == len(batches)
    assert int(field(control, 8, 13)) == len(lines) // 10
    check(control, 14, [entry for each in batches for entry in each["entries"]])
    json.dump({"modifier": field(header, 34, 34), "created": field(header, 24, 33), "batches": batches}, sys.stdout)


def check(line, first, entries):
    """Counts, hash and totals stand in one order, in a batch's last record and in the file's."""
    width = 6 if first == 5 else 8
    count, rest = field(line, first, first + width - 1), line[first + width - 1 :]
    assert int(count) == len(entries) + sum(entry["addenda"] for entry in entries)
    assert int(rest[:10]) == sum(int(entry["routing"][:8]) for entry in entries) % 10**10
    debits = sum(int(entry["amount"]) for entry in entries if entry["code"] in ("27", "37"))
    credits = sum(int(entry["amount"]) for entry in entries if entry["code"] in ("22", "32"))
    assert (int(rest[10:22]), int(rest[22:34])) == (debits, credits)


main()
