"""A connector in Python's standard library; docs/rules/connectors.md has its duties. The bank behind it is bank.py.

    SECRET_FILE=secrets DATABASE=bank.sqlite PORT=9400 python3 connector.py
"""
import base64, hashlib, hmac, json, os, threading, uuid
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit
from urllib.request import Request, urlopen
import bank
from bank import Refusal

NAME = os.environ.get("SERVICE_NAME", "Svc")
NUDGE_URL = os.environ.get("NUDGE_URL")  # Such as https://corridor.example/connectors/nordbank/nudge
CODES = {400: "INVALID", 401: "UNAUTHORIZED", 404: "NOT_FOUND", 409: "CONFLICT", 410: "UNKNOWN_CURSOR", 503: "UNAVAILABLE"}

def carry_out(method, path, query, sent):
    try:
        body = json.loads(sent or b"{}")
    except (ValueError, RecursionError):
        body = None
    bank.need(isinstance(body, dict) and len(sent) <= 65536, 400, "the body is a JSON object of up to 64 KiB")
    match (method, *[unquote(part) for part in path.split("/")[1:]]):
        case ("GET", "capabilities"): return 200, bank.CAPABILITIES
        case ("PUT", "orders", id): return bank.put_order(id, body)
        case ("GET", "orders", id): return 200, bank.show("order", id)
        case ("POST", "orders", id, "cancel"): return 200, bank.cancel(id)
        case ("PUT", "accounts", id): return bank.put_account(id, body)
        case ("GET", "accounts", id): return 200, bank.show("account", id)
        case ("DELETE", "accounts", id): return 200, bank.close_account(id)
        case ("GET", "events"): return 200, bank.list_events(query.get("after", "0"), query.get("limit", "500"))
        case ("GET", "statements"): return 200, bank.statement(query.get("settlementAccount"), query.get("date", ""))
        case ("POST", "name-checks"): return 200, bank.check_name(body)
        case ("POST", "test", "play"): return 200, bank.play(body)
        case ("POST", "test", "credit"): return 200, bank.credit(body)
    raise Refusal(404, "there is no such call")

def signature(secret, *lines):
    mac = hmac.new(base64.b64decode(secret), "\n".join(lines).encode(), "sha256")
    return base64.b64encode(mac.digest()).decode()

def is_signed(secret, header, *lines):
    try:
        sent = json.loads(header)
        age = datetime.now(timezone.utc) - datetime.fromisoformat(sent["t"])
        good = hmac.compare_digest(sent["s"], signature(secret, *lines[:-1], sent["t"], lines[-1]))
        return sent["v"] == "2" and abs(age) <= timedelta(minutes=5) and good
    except (ValueError, TypeError, KeyError):
        return False

def last_event():
    return bank.db.execute("select max(seq) from events").fetchone()[0]

def nudge(key, secret):  # Says that there are events. It may be lost: Corridor reads them every few seconds anyway.
    id, t = str(uuid.uuid4()), datetime.now(timezone.utc).isoformat(timespec="seconds")
    s = signature(secret, "nudge", "POST", urlsplit(NUDGE_URL).path, id, t, hashlib.sha256(b"").hexdigest())
    headers = {f"X-{NAME}-Request-Id": id, f"X-{NAME}-Signature-Key-Id": key,
               f"X-{NAME}-Signature": json.dumps({"v": "2", "t": t, "s": s})}
    try:
        urlopen(Request(NUDGE_URL, b"", headers), timeout=5).close()
    except OSError as error:
        print(f"nudge: {error!r}", flush=True)

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # Connections stay open.
    wbufsize = 65536  # Headers and body leave in one packet.

    def handle_call(self):
        sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        id, path = self.headers.get(f"X-{NAME}-Request-Id", ""), urlsplit(self.path)
        # Read at every call: the file has a second line during a rotation.
        with open(os.environ["SECRET_FILE"]) as file:
            keys = dict(line.split() for line in file if line.strip())
        key = self.headers.get(f"X-{NAME}-Signature-Key-Id")
        secret = keys.get(key)
        header, digest = self.headers.get(f"X-{NAME}-Signature", ""), hashlib.sha256(sent).hexdigest()
        try:
            bank.need(secret and is_signed(secret, header, "request", self.command, self.path, id, digest), 401, "bad signature")
            query = {name: values[0] for name, values in parse_qs(path.query).items()}
            with bank.lock, bank.db:  # Committed before the answer, and undone after a refusal.
                before = last_event()
                status, answer = carry_out(self.command, path.path, query, sent)
                has_news = last_event() != before
            if has_news and NUDGE_URL:
                threading.Thread(target=nudge, args=(key, secret), daemon=True).start()
        except Refusal as refusal:
            status, reason = refusal.args
            answer = {"code": CODES[status], "reason": reason}
        except Exception as error:  # Nothing was kept, so it can be sent again.
            print(f"{self.command} {self.path}: {error!r}", flush=True)
            status, answer = 503, {"code": CODES[503], "reason": "an internal fault"}
        self.answer(status, json.dumps(answer).encode(), id, secret or next(iter(keys.values())))

    do_GET = do_PUT = do_POST = do_DELETE = handle_call

    def answer(self, status, body, id, secret):
        t = datetime.now(timezone.utc).isoformat(timespec="seconds")
        lines = ("answer", id, str(status), bank.STORE, t, hashlib.sha256(body).hexdigest())
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header(f"X-{NAME}-Store", bank.STORE)
        self.send_header(f"X-{NAME}-Signature", json.dumps({"v": "2", "t": t, "s": signature(secret, *lines)}))
        if status == 503:
            self.send_header("Retry-After", "1")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass

class Server(ThreadingHTTPServer):
    request_queue_size = 128

if __name__ == "__main__":
    server = Server(("127.0.0.1", int(os.environ.get("PORT", "9400"))), Handler)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
