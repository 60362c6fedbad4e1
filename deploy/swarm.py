"""Turns a Compose file (JSON on stdin, all variables filled in) into one for `docker stack deploy` (JSON on stdout).

What Swarm does not do is left out, and said on stderr, a line each; files that single-host Compose mounts become
configs, which Swarm carries to whatever node a task runs on. Python 3's standard library alone.
"""

import hashlib
import json
import os
import sys

# What `docker stack deploy` refuses or silently ignores, and what that means here.
DROPPED = {
    "build": "images are taken as they are; push them to a registry for more than one node",
    "cpu_shares": "what watches gets as much of a core as what is measured",
    "cpuset": "no pinned cores",
    "depends_on": "services start together, and find each other by DNS",
    "restart": "deploy.restart_policy, its default is the same",
    "security_opt": "no no-new-privileges",
}


def note(service, what, why):
    print(f"swarm: {service}: {what}: {why}", file=sys.stderr)


def config(name, path, target, stack):
    """A file as a config: Swarm's configs never change, so the contents are part of the name."""
    with open(path, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()[:8]
    key = f"{name}-{digest}"
    stack.setdefault("configs", {})[key] = {"file": path}
    return {"source": key, "target": target}


def files_below(folder):
    for at, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            yield os.path.join(at, name)


def as_mount(volume):
    """A volume in the long form, whichever the file had."""
    if isinstance(volume, dict):
        return volume["type"], volume["source"], volume["target"]
    source, target = volume.split(":")[:2]
    return ("bind" if source.startswith("/") else "volume"), source, target


def convert(name, service, stack):
    for key, why in DROPPED.items():
        if service.pop(key, None) is not None:
            note(name, key, why)
    if service.pop("ports", None):
        note(name, "ports", "published nowhere: Swarm ignores the address 127.0.0.1")
    volumes = []
    for volume in service.pop("volumes", []):
        kind, source, target = as_mount(volume)
        if kind != "bind":
            volumes.append(f"{source}:{target}")
            continue
        for path in files_below(source):
            relative = os.path.relpath(path, source)
            key = (name + "-" + relative).replace("/", "-").replace(".", "-")
            service.setdefault("configs", []).append(config(key, path, os.path.join(target, relative), stack))
    if volumes:
        service["volumes"] = volumes
    # Environment values must be texts.
    service["environment"] = {k: str(v) for k, v in service.get("environment", {}).items() if v is not None}
    # The names of a service's tasks' addresses, not one address for all: discovery, scrapes and shares need each.
    service.setdefault("deploy", {})["endpoint_mode"] = "dnsrr"
    for network in service.get("networks") or {}:
        service["networks"][network] = service["networks"][network] or {}


def main():
    compose = json.load(sys.stdin)
    stack = {"version": "3.8", "services": {}, "networks": {}, "volumes": compose.get("volumes", {})}
    without = os.environ.get("WITHOUT", "").split()
    for name, service in sorted(compose["services"].items()):
        if name in without:
            continue
        if service.get("profiles"):
            note(name, "profiles", "left out: Swarm has no profiles")
            continue
        convert(name, service, stack)
        stack["services"][name] = service
    for name, network in compose["networks"].items():
        network = {k: v for k, v in (network or {}).items() if k != "name"}
        stack["networks"][name] = {**network, "driver": "overlay"}
    for name in stack["volumes"]:
        stack["volumes"][name] = {}
    json.dump(stack, sys.stdout, indent=1)
    print()


main()
