"""A small bank in SQLite, and what its connector (connector.py) does with it. Replace it by calls of your bank."""
import hashlib, json, os, re, sqlite3, threading, uuid
from datetime import datetime, timezone

ACCOUNTS, RAILS = {"main-eur": "EUR", "main-usd": "USD"}, {"SEPA": "main-eur", "ACH": "main-usd"}
PARTIES = {"PAYOUT": ["originator", "beneficiary"], "COLLECTION": ["creditor", "debtor"], "REFUND": []}
MOVES = {
    "RECEIVED": ["HELD", "SENT", "SETTLED", "FAILED", "CANCELLED"], "HELD": ["SENT", "SETTLED", "FAILED", "CANCELLED"],
    "SENT": ["HELD", "SETTLED", "FAILED"], "SETTLED": ["RETURNED"],
}
CAPABILITIES = {
    "protocol": "1", "test": True, "pollSeconds": 5, "inFlightMax": 20, "ordersPerSecond": 50, "statements": True,
    "settlementAccounts": [{"id": id, "currency": c, "label": f"Main {c}", "zone": "UTC"} for id, c in ACCOUNTS.items()],
    "rails": [{"rail": rail, "currency": ACCOUNTS[id], "kinds": list(PARTIES), "min": "1", "max": "100000000",
               "settlementAccounts": [id], "cancellable": True} for rail, id in RAILS.items()],
    "accounts": [{"currency": c, "accountTypes": [f"{c}_ACCOUNT"]} for c in ACCOUNTS.values()],
    "nameChecks": [f"{c}_ACCOUNT" for c in ACCOUNTS.values()],
}
lock = threading.Lock()  # One call at a time uses the bank, in one transaction that is on disk before the answer.
db = sqlite3.connect(os.environ.get("DATABASE", "bank.sqlite"), check_same_thread=False)
db.executescript("""
  pragma journal_mode = wal; pragma synchronous = full;
  create table if not exists things (kind text, id text, body text, answer text, primary key (kind, id));
  create table if not exists lines (seq integer primary key, account text, day text, side text, amount int, kind text, of text);
  create table if not exists store (id text); create table if not exists events (seq integer primary key, event text);
""")
with db:  # A new bank is a new store. Its accounts have moved some money, so that there are statements.
    if not db.execute("select 1 from store").fetchone():
        db.execute("insert into store values (?)", (str(uuid.uuid4()),))
        old = [("CREDIT", 5_000_000, "OTHER", 3), ("DEBIT", 450, "CHARGE", 2), ("CREDIT", 12, "INTEREST", 1)]
        db.executemany("insert into lines values (null, ?, date('now', ?), ?, ?, ?, 'opening')",
                       [(id, f"-{ago} days", side, amount, kind) for id in ACCOUNTS for side, amount, kind, ago in old])
STORE = db.execute("select id from store").fetchone()[0]

class Refusal(Exception): pass

def need(condition, status, reason):
    if not condition:
        raise Refusal(status, reason)

def now(): return datetime.now(timezone.utc).isoformat()

def find(kind, id):
    row = db.execute("select body, answer from things where kind = ? and id = ?", (kind, str(id))).fetchone()
    return row and (json.loads(row[0]), json.loads(row[1]))

def save(kind, id, body, answer):
    db.execute("insert or replace into things values (?, ?, ?, ?)", (kind, id, json.dumps(body), json.dumps(answer)))
    return answer

def once(kind, id, body, make):  # The same body again gives what is known, without another effect.
    known = find(kind, id)
    need(not known or known[0] in (None, body), 409, "this is known with another body")
    return (200, known[1]) if known else (201, save(kind, id, body, make()))

def emit(event):
    db.execute("insert into events values (null, ?)", (json.dumps({"at": now(), **event, "id": str(uuid.uuid4())}),))

def book(account, side, amount, kind, of):
    db.execute("insert into lines values (null, ?, ?, ?, ?, ?, ?)", (account, now()[:10], side, int(amount), kind, of))

def check_money(body):
    amount, account = str(body.get("amount")), str(body.get("settlementAccount"))
    need(isinstance(body.get("amount"), str) and re.fullmatch("[1-9][0-9]{0,8}", amount), 400, "an amount is a string of digits")
    need(int(amount) <= 100_000_000, 400, "the amount is above the maximum")
    need(account in ACCOUNTS and body.get("currency") == ACCOUNTS[account], 400, "unknown settlement account or currency")
    need(RAILS.get(str(body.get("rail"))) == account, 400, "unknown rail, or one of another settlement account")

def check_order(body):
    check_money(body)
    parties = PARTIES.get(str(body.get("kind")))
    need(parties is not None and all(isinstance(body.get(party), dict) for party in parties), 400, "unknown kind, or no party")
    if body["kind"] == "REFUND":
        need(find("credit", body.get("of")) or find("order", body.get("of")), 400, "nothing came in under the name in `of`")

def put_order(id, body):
    if not find("order", id):
        check_order(body)
    def receive():
        order = {"reference": id, "state": "RECEIVED", "at": now(), "amount": body["amount"], "currency": body["currency"]}
        emit({**order, "type": "ORDER"})
        return order
    return once("order", id, body, receive)

def move(id, state, reason=None):
    body, order = find("order", id)
    order = {**order, "state": state, "at": now(), **({"reason": reason} if reason else {})}
    if state in ("SETTLED", "RETURNED"):
        side = "CREDIT" if (body["kind"] == "COLLECTION") == (state == "SETTLED") else "DEBIT"
        book(body["settlementAccount"], side, body["amount"], "PAYMENT" if state == "SETTLED" else "RETURN", id)
    emit({**order, "type": "ORDER"})
    return save("order", id, body, order)

def cancel(id):
    body, order = find("order", id) or (None, None)
    if not order:  # A `PUT` that comes later finds this, and does nothing.
        return save("order", id, None, {"reference": id, "state": "CANCELLED", "at": now()})
    return move(id, "CANCELLED") if order["state"] in ("RECEIVED", "HELD") else order

def play(body):
    order = find("order", body.get("reference"))
    need(order and order[0], 404, "there is no such order")
    need(body.get("state") in MOVES.get(order[1]["state"], []), 409, f"an order that is {order[1]['state']} cannot do this")
    return move(order[1]["reference"], body["state"], body.get("reason"))

def credit(body):
    check_money(body)
    need(isinstance(body.get("creditId"), str), 400, "a credit needs a creditId")
    def receive():
        book(body["settlementAccount"], "CREDIT", body["amount"], "PAYMENT", body["creditId"])
        emit({**body, "type": "CREDIT"})
        return body
    return once("credit", body["creditId"], body, receive)[1]

def put_account(id, body):
    currency = body.get("currency")
    need(currency in ACCOUNTS.values() and body.get("accountTypes") == [f"{currency}_ACCOUNT"], 400, "no such accounts here")
    coordinates = {f"{currency}_ACCOUNT": {"accountNumber": str(int(hashlib.sha256(id.encode()).hexdigest(), 16))[:10]}}
    return once("account", id, body, lambda: {"accountId": id, "state": "OPEN", "coordinates": coordinates})

def show(kind, id):
    need(thing := find(kind, id), 404, f"there is no such {kind}")
    return thing[1]

def close_account(id):
    account = {**show("account", id), "state": "CLOSED"}
    return save("account", id, find("account", id)[0], account)

def check_name(body):
    need(body.get("accountType") in CAPABILITIES["nameChecks"] and isinstance(body.get("name"), str), 400, "cannot check this")
    status = "NOT_MATCHED" if "wrong" in body["name"].lower() else "MATCHED"
    return once("name check", str(body.get("reference")), body, lambda: {"reference": body.get("reference"), "status": status})[1]

def list_events(after, limit):
    last = db.execute("select coalesce(max(seq), 0) from events").fetchone()[0]
    need(re.fullmatch("0|[1-9][0-9]{0,15}", after) and int(after) <= last, 410, "this cursor is unknown")
    need(re.fullmatch("[1-9][0-9]{0,2}", limit) and int(limit) <= 500, 400, "limit is 1 to 500")
    rows = db.execute("select seq, event from events where seq > ? order by seq limit ?", (int(after), int(limit))).fetchall()
    end = rows[-1][0] if rows else int(after)
    return {"events": [json.loads(event) for _, event in rows], "next": str(end), "more": end < last}

def statement(account, date):
    need(account in ACCOUNTS and re.fullmatch(r"\d{4}-\d\d-\d\d", date) and date < now()[:10], 404, "there is no such statement yet")
    total = "select coalesce(sum(case side when 'CREDIT' then amount else -amount end), 0) from lines where account = ? and day"
    balance = lambda until: str(db.execute(f"{total} {until} ?", (account, date)).fetchone()[0])
    rows = db.execute("select seq, side, amount, kind, of from lines where account = ? and day = ?", (account, date)).fetchall()
    lines = [{"id": str(n), "bookedOn": date, "side": side, "amount": str(amount), "kind": kind, "references": [of]}
             for n, side, amount, kind, of in rows]
    return {"id": f"{account}-{date}", "settlementAccount": account, "from": date, "to": date, "opening": balance("<"),
            "closing": balance("<="), "lines": lines}
