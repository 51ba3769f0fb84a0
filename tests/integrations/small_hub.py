"""A server with as much of the Hub's protocol as is needed to send and fetch files.

The real client talks to it. Files are kept in memory, each commit holds all of them, and every
request is recorded.
"""

import base64
import hashlib
import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote


class SmallHub(ThreadingHTTPServer):
    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answers)
        self.repositories = {}  # id → file name → bytes
        self.requests = []  # (method, path, body)

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_address[1]}"


@contextmanager
def small_hub():
    with SmallHub() as hub:
        thread = threading.Thread(target=hub.serve_forever)
        thread.start()
        try:
            yield hub
        finally:
            hub.shutdown()
            thread.join()


class Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.note(body)
        if self.path == "/api/repos/create":
            self.create(json.loads(body))
        elif "/preupload/" in self.path:
            files = [
                {**file, "uploadMode": "regular", "shouldIgnore": False} for file in files_of(body)
            ]
            self.send(json.dumps({"files": files}))
        elif "/commit/" in self.path:
            self.commit([json.loads(line) for line in body.splitlines()])
        elif self.path == "/api/validate-yaml":
            self.send(json.dumps({"errors": [], "warnings": []}))
        else:
            self.send("{}", 404)

    def do_GET(self):
        self.note(b"")
        owner, name, *rest = unquote(self.path).strip("/").removeprefix("api/models/").split("/")
        files = self.server.repositories.get(f"{owner}/{name}")
        if files is None:
            self.send("{}", 404, {"X-Error-Code": "RepoNotFound"})
        elif rest[:1] == ["resolve"]:
            self.send_file(files, "/".join(rest[2:]))
        elif rest[:1] == ["tree"]:
            self.send(json.dumps([described(name, content) for name, content in files.items()]))
        else:
            self.send(json.dumps(repository_facts(f"{owner}/{name}", files)))

    do_HEAD = do_GET  # noqa: N815

    def create(self, asked):
        repository = "/".join(filter(None, [asked.get("organization"), asked["name"]]))
        status = 409 if repository in self.server.repositories else 200
        self.server.repositories.setdefault(repository, {})
        address = f"{self.server.address}/{repository}"
        self.send(json.dumps({"url": address, "name": repository}), status)

    def commit(self, lines):
        repository = "/".join(self.path.split("/")[3:5])
        files = self.server.repositories[repository]
        for line in lines:
            if line["key"] == "file":
                files[line["value"]["path"]] = base64.b64decode(line["value"]["content"])
        commit = commit_of(files)
        address = f"{self.server.address}/{repository}/commit/{commit}"
        self.send(json.dumps({"commitUrl": address, "commitOid": commit, "success": True}))

    def send_file(self, files, file):
        if file not in files:
            self.send("", 404, {"X-Error-Code": "EntryNotFound"})
            return
        headers = {"X-Repo-Commit": commit_of(files), "ETag": f'"{sha1(files[file])}"'}
        self.send(files[file], 200, headers)

    def send(self, content, status=200, headers=None):
        content = content.encode() if isinstance(content, str) else content
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def note(self, body):
        agent = self.headers.get("User-Agent", "")
        self.server.requests.append((self.command, self.path, body, agent))


def files_of(body):
    return [{"path": file["path"]} for file in json.loads(body)["files"]]


def repository_facts(repository, files):
    facts = {
        "id": repository,
        "sha": commit_of(files),
        "private": False,
        "downloads": 0,
        "likes": 0,
    }
    return {**facts, "tags": [], "siblings": [{"rfilename": name} for name in files]}


def described(name, content):
    return {"type": "file", "path": name, "size": len(content), "oid": sha1(content)}


def sha1(content):
    return hashlib.sha1(content).hexdigest()


def commit_of(files):
    return sha1(repr(sorted(files.items())).encode())
