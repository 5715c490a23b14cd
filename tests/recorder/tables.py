"""`python -m tests.recorder.tables`: records tables that real tools print, for `tests/runtime/admission/tables`.

* `kubectl get pods -A -o wide` is printed by kubectl itself. What it asks, a server in this process answers, with the
  table that an API server sends (`meta.k8s.io/v1`, kind `Table`; columns as in `printers.go` of Kubernetes 1.32): 200
  pods that `pods()` makes from a fixed seed, with the names, restarts and addresses that clusters have.
* `docker ps`, `docker images`: docker itself, of an Engine API 1.43 that this process answers.
* The examples of `rules/extra/kubectl.cable` and `rules/extra/docker.cable`: the same two, in more states.
* `psql`: psql itself, in all its borders, of a server that is made for it and removed again.
* `ps`, `df`, `pip list`, `sqlite3`, `column`, `mysql`-like boxes by psql: as they run here.

A tool that is not there is left out, and what it printed before stays.
"""

from __future__ import annotations

import json
import os
import pwd
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "tests" / "runtime" / "admission" / "tables"
EXAMPLES = ROOT / "rules" / "extra" / "examples"

_LETTERS = "bcdfghjklmnpqrstvwxz2456789"
"""The letters of generated names in Kubernetes: `k8s.io/apimachinery/pkg/util/rand`."""

_COLUMNS = (
    ("Name", 0), ("Ready", 0), ("Status", 0), ("Restarts", 0), ("Age", 0),
    ("IP", 1), ("Node", 1), ("Nominated Node", 1), ("Readiness Gates", 1),
)  # fmt: skip

_WORKLOADS = (
    ("cert-manager", ("cert-manager", "cert-manager-cainjector", "cert-manager-webhook")),
    ("checkout", ("cart-api", "order-worker", "payment-gateway", "pricing", "tax-service")),
    ("ingress-nginx", ("ingress-nginx-controller",)),
    ("kube-system", ("aws-node", "coredns", "ebs-csi-controller", "ebs-csi-node", "kube-proxy", "metrics-server")),
    ("monitoring", ("alertmanager-main", "grafana", "kube-state-metrics", "node-exporter", "prometheus-k8s")),
    ("search", ("elastic-data", "indexer", "query-frontend")),
    ("web", ("storefront", "storefront-canary", "sitemap-builder")),
)


def pods(count: int = 200) -> list[tuple[str, list[str]]]:
    """Return namespaces and cells of pods, sorted as an API server lists them."""
    draw = random.Random(20260930)
    nodes = [f"ip-10-0-{draw.randrange(64)}-{draw.randrange(256)}.eu-central-1.compute.internal" for _ in range(12)]
    made = []
    for _ in range(count):
        namespace, workloads = draw.choice(_WORKLOADS)
        name = f"{draw.choice(workloads)}-{_suffix(draw, 10)}-{_suffix(draw, 5)}"
        node = draw.choice(nodes)
        status, ready, restarts = "Running", "1/1", "0"
        fate = draw.random()
        if fate < 0.04:
            status, ready, restarts = (
                "CrashLoopBackOff",
                "0/1",
                f"{draw.randrange(3, 90)} ({draw.randrange(1, 59)}m ago)",
            )
        elif fate < 0.06:
            status, ready = "Completed", "0/1"
        elif fate < 0.15:
            restarts = f"{draw.randrange(1, 4)} ({draw.randrange(1, 30)}d ago)"
        elif fate < 0.3:
            ready = "2/2"
        age = draw.choice(
            (f"{draw.randrange(2, 90)}d", f"{draw.randrange(2, 23)}h", f"{draw.randrange(2, 9)}d4h", "61m")
        )
        address = f"10.0.{draw.randrange(64)}.{draw.randrange(256)}"
        made.append((namespace, [name, ready, status, restarts, age, address, node, "<none>", "<none>"]))
    return sorted(made)


def _suffix(draw: random.Random, length: int) -> str:
    return "".join(draw.choices(_LETTERS, k=length))


def _states(namespace: str) -> list[tuple[str, list[str]]]:
    """Return pods of one namespace, in states that `printPod` in `printers.go` of Kubernetes 1.32 makes."""
    states = (
        ("Running", "1/1", "0"), ("Running", "1/1", "2 (3d ago)"), ("Running", "1/2", "7 (41s ago)"),
        ("CrashLoopBackOff", "0/1", "14 (2m9s ago)"), ("ImagePullBackOff", "0/1", "0"), ("Pending", "0/1", "0"),
        ("Init:0/2", "0/1", "0"), ("Init:CrashLoopBackOff", "0/1", "5 (12s ago)"), ("PodInitializing", "0/1", "0"),
        ("ContainerCreating", "0/1", "0"), ("CreateContainerConfigError", "0/1", "0"), ("Error", "0/1", "1 (4s ago)"),
        ("OOMKilled", "0/1", "3 (33s ago)"), ("ExitCode:137", "0/1", "0"), ("Signal:9", "0/1", "0"),
        ("Completed", "0/1", "0"), ("Evicted", "0/1", "0"), ("Terminating", "1/1", "0"), ("Unknown", "1/1", "0"),
        ("NotReady", "1/2", "0"),
    )  # fmt: skip
    draw = random.Random(5)
    made = []
    for number in range(46):
        status, ready, restarts = states[number if number < len(states) else 0]
        name = f"{draw.choice(('api', 'worker', 'storefront'))}-{_suffix(draw, 10)}-{_suffix(draw, 5)}"
        cells = [name, ready, status, restarts, f"{number + 3}h"]
        made.append((namespace, [*cells, f"10.0.3.{number}", f"node-{number % 3}", "<none>", "<none>"]))
    return sorted(made)


def _kubernetes(path: str) -> Any:
    """Answer what kubectl asks: all pods, or those of a namespace."""
    if path == "/api":
        return {"kind": "APIVersions", "versions": ["v1"]}
    if path == "/apis":
        return {"kind": "APIGroupList", "apiVersion": "v1", "groups": []}
    if path == "/api/v1":
        pod = {"name": "pods", "singularName": "pod", "namespaced": True, "kind": "Pod", "verbs": ["get", "list"]}
        return {"kind": "APIResourceList", "groupVersion": "v1", "resources": [pod]}
    if path == "/api/v1/namespaces/shop/pods":
        return _table(_states("shop"))
    return _table(pods()) if path.startswith("/api/v1/pods") else None


def _table(listed: list[tuple[str, list[str]]]) -> Any:
    """Return the table that an API server sends of pods."""
    columns = [
        {"name": name, "type": "string", "format": "", "description": "", "priority": priority}
        for name, priority in _COLUMNS
    ]
    rows = [
        {
            "cells": cells,
            "object": {
                "kind": "PartialObjectMetadata",
                "apiVersion": "meta.k8s.io/v1",
                "metadata": {"name": cells[0], "namespace": namespace},
            },
        }
        for namespace, cells in listed
    ]
    return {
        "kind": "Table",
        "apiVersion": "meta.k8s.io/v1",
        "metadata": {"resourceVersion": "1"},
        "columnDefinitions": columns,
        "rows": rows,
    }


def _many(path: str) -> Any:
    """Answer what docker asks, with containers in every state that the engine knows."""
    if not path.endswith("/containers/json"):
        return _docker(path)
    states = (
        "Up 2 hours", "Up 3 days (healthy)", "Up About a minute", "Up Less than a second", "Up 4 hours (unhealthy)",
        "Up 5 seconds (health: starting)", "Up 6 weeks (Paused)", "Exited (0) 3 minutes ago", "Exited (137) 2 days ago",
        "Created", "Restarting (1) 5 seconds ago", "Removal In Progress", "Dead",
    )  # fmt: skip
    kept = _docker(path)[0]
    made = []
    for number in range(40):
        status = states[number] if number < len(states) else f"Up {number} minutes"
        named = {"Id": f"{number * 0x10F0F0F0F:012x}" + "0" * 52, "Names": [f"/batch-{number}"], "Status": status}
        ports = [{"IP": "0.0.0.0", "PrivatePort": 80, "PublicPort": 8000 + number, "Type": "tcp"},
                 {"PrivatePort": 9000, "Type": "udp"}][: number % 3]  # fmt: skip
        command = "sh -c 'echo \"a b\" | tr a b'"
        made.append({**kept, **named, "Image": f"shop/batch:{number}", "Command": command, "Ports": ports})
    return made


def _docker(path: str) -> Any:
    """Answer what docker asks."""
    draw = random.Random(7)
    if path.endswith("/containers/json"):
        return [
            {
                "Id": f"{draw.randrange(16**12):012x}" + "0" * 52,
                "Names": [f"/shop-{name}-1"],
                "Image": f"registry.example.com/shop/{name}:1.{number}.0",
                "ImageID": "sha256:" + "0" * 64,
                "Command": command,
                "Created": 1700000000,
                "Ports": [{"IP": "0.0.0.0", "PrivatePort": port, "PublicPort": port, "Type": "tcp"}] if port else [],
                "Labels": {},
                "State": "running",
                "Status": f"Up {number + 2} hours" + (" (healthy)" if number % 2 else ""),
                "HostConfig": {"NetworkMode": "default"},
                "NetworkSettings": {"Networks": {}},
                "Mounts": [],
            }
            for number, (name, command, port) in enumerate(
                (
                    ("web", "nginx -g 'daemon off;'", 8080),
                    ("api", "gunicorn app:main --workers 4", 8000),
                    ("worker", "celery -A app worker", 0),
                    ("beat", "celery -A app beat", 0),
                    ("db", "docker-entrypoint.sh postgres", 5432),
                    ("cache", "redis-server --save 60 1", 6379),
                    ("mail", "mailhog", 0),
                )
            )
        ]
    return {"ApiVersion": "1.43", "Version": "24.0.0", "MinAPIVersion": "1.24"} if path.endswith("/version") else None


@contextmanager
def _served(answer: Any) -> Iterator[int]:
    """Serve answers on a port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def _reply(self, *, body: bool) -> None:
            path = self.path.partition("?")[0]
            found = "OK" if path.endswith("/_ping") else answer(path)
            content = (found if isinstance(found, str) else json.dumps(found)).encode()
            self.send_response(404 if found is None else 200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Api-Version", "1.43")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if body:
                self.wfile.write(content)

        def do_GET(self) -> None:
            self._reply(body=True)

        def do_HEAD(self) -> None:
            self._reply(body=False)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()


def _keep(name: str, text: str, folder: Path = FOLDER) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, "utf-8", newline="")
    sys.stdout.write(f"{name}\n")


def _run(name: str, words: list[str], folder: Path = FOLDER, **environ: str) -> None:
    """Keep what a command prints, if its tool is here."""
    if shutil.which(words[0]) is None:
        sys.stderr.write(f"{words[0]} is not here; {name} stays as it is\n")
        return
    done = subprocess.run(
        words, capture_output=True, text=True, check=True, env={**os.environ, "LC_ALL": "C.UTF-8", **environ}
    )
    _keep(name, done.stdout, folder)


def record_servers() -> None:
    """Record the tools that print what a server tells them."""
    with _served(_kubernetes) as port, tempfile.TemporaryDirectory() as home:
        server = f"--server=http://127.0.0.1:{port}"
        _run("kubectl_get_pods_wide.txt", ["kubectl", server, "get", "pods", "-A", "-o", "wide"], HOME=home)
        _run("kubectl_get_pods.txt", ["kubectl", server, "get", "pods", "-A"], HOME=home)
    with _served(_docker) as port, tempfile.TemporaryDirectory() as home:
        host = {"DOCKER_HOST": f"tcp://127.0.0.1:{port}", "DOCKER_CONFIG": home, "HOME": home}
        _run("docker_ps.txt", ["docker", "ps", "--no-trunc"], **host)
        _run("docker_ps_short.txt", ["docker", "ps"], **host)


def record_examples() -> None:
    """Record what the rules for kubectl and docker show as examples."""
    folder = EXAMPLES / "kubectl_get_pods"
    with _served(_kubernetes) as port, tempfile.TemporaryDirectory() as home:
        get = ["kubectl", f"--server=http://127.0.0.1:{port}", "get", "pods"]
        _run("all.txt", [*get, "-A"], folder, HOME=home)
        _run("states.txt", [*get, "-n", "shop"], folder, HOME=home)
        _run("states-wide.txt", [*get, "-n", "shop", "-o", "wide"], folder, HOME=home)
    folder = EXAMPLES / "docker_ps"
    with _served(_docker) as port, tempfile.TemporaryDirectory() as home:
        host = {"DOCKER_HOST": f"tcp://127.0.0.1:{port}", "DOCKER_CONFIG": home, "HOME": home}
        _run("whole.txt", ["docker", "ps", "--no-trunc"], folder, **host)
    with _served(_many) as port, tempfile.TemporaryDirectory() as home:
        host = {"DOCKER_HOST": f"tcp://127.0.0.1:{port}", "DOCKER_CONFIG": home, "HOME": home}
        _run("all.txt", ["docker", "ps", "-a"], folder, **host)


_TABLE = """
create table orders (id int, customer text, city text, note text, total numeric(10,2), paid boolean);
insert into orders select n, 'customer-' || n, (array['Lisboa','Porto','東京','Zürich'])[1 + n % 4],
  case when n % 3 = 0 then null when n % 5 = 0 then 'left | right' else 'note ' || n end, n * 7.25, n % 2 = 0
  from generate_series(1, 40) n;
"""


def record_psql() -> None:
    """Record psql, with a server of its own."""
    if shutil.which("initdb") is None or shutil.which("psql") is None:
        sys.stderr.write("no PostgreSQL here; psql stays as it is\n")
        return
    with tempfile.TemporaryDirectory(prefix="pg-") as folder:
        Path(folder).chmod(0o777)
        data = f"{folder}/data"
        user = {"user": pwd.getpwnam("postgres").pw_name} if os.geteuid() == 0 else {}

        def run(*words: str, stdin: str = "") -> str:
            done = subprocess.run(
                words, input=stdin, capture_output=True, text=True, check=True, cwd=folder, **user,
                env={**os.environ, "LC_ALL": "C.UTF-8", "HOME": folder, "PGHOST": folder, "PGUSER": "recorder",
                     "PGDATABASE": "postgres"},
            )  # fmt: skip
            return done.stdout

        run("initdb", "-D", data, "-U", "recorder", "-E", "UTF8", "--no-sync")
        subprocess.run(
            ["pg_ctl", "-D", data, "-o", f"-k {folder} -h ''", "-l", f"{folder}/log", "-w", "start"],
            check=True, cwd=folder, stdout=subprocess.DEVNULL, **user,
        )  # fmt: skip
        try:
            run("psql", "-qX", stdin=_TABLE)
            query = "select * from orders order by id"
            for name, options in (
                ("psql.txt", []),
                ("psql_border_2.txt", ["-P", "border=2"]),
                ("psql_unaligned.txt", ["-A"]),
                ("psql.csv", ["--csv"]),
            ):
                _keep(name, run("psql", "-X", *options, "-c", query))
            _keep(
                "psql_wrapped.txt", run("psql", "-X", "-c", f"select id, note || E'\\nmore' as note from ({query}) o")
            )
        finally:
            run("pg_ctl", "-D", data, "-m", "immediate", "stop")


def record_here() -> None:
    """Record what runs anywhere."""
    _run("df.txt", ["df", "-h", "/", "/dev", "/dev/shm", "/sys/fs/cgroup"])
    _run("ps_ef.txt", ["ps", "--ppid", "2", "-o", "user,pid,ppid,pcpu,stat,tty,time,comm"])
    _run("pip_list.txt", [sys.executable, "-m", "pip", "list", "--exclude-editable", "--disable-pip-version-check"])
    numbers = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 30) "
    columns = "i as id, 'item ' || i as name, i * 1.5 as price, case when i % 3 then 'x y' end as tags"
    query = f"{numbers}select {columns} from n"
    for mode in ("column", "markdown", "list", "tabs"):
        _run(f"sqlite3_{mode}.txt", ["sqlite3", "-header", "-cmd", f".mode {mode}", ":memory:", query])


def main() -> None:
    """Record everything."""
    record_servers()
    record_examples()
    record_psql()
    record_here()


if __name__ == "__main__":
    main()
