"""An object store on loopback: moto, which checks signatures, with faults in front of it.

It prints one line of JSON when it serves: its port, and the keys of two users. One may do everything, and the other nothing.
It ends when its input does. In these buckets, something is wrong:

  slow    answers after a minute
  broken  ends a body in its middle
  busy    answers each request for an object with 503 twice
  full    stores nothing: 507
"""

import json
import os
import sys
import threading
import time
from collections import Counter

import boto3
from moto import settings
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server

BUCKETS = ["thumbnails", "dotted.name", "slow", "broken", "busy", "full"]
refusals = Counter()
is_set_up = threading.Event()


class Quiet(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log(self, *_):
        pass


def halved(body):
    """The first half, and then the end of the connection."""
    yield body[: len(body) // 2]
    raise ConnectionAbortedError


class Faults:
    def __init__(self, app):
        self.app = app

    def __call__(self, environ, start_response):
        bucket, _, key = environ["PATH_INFO"].lstrip("/").partition("/")
        method = environ["REQUEST_METHOD"]
        if is_set_up.is_set():
            if bucket == "slow":
                time.sleep(60)
            if bucket == "busy" and key:
                refusals[method + key] += 1
                if refusals[method + key] <= 2:
                    return self.refuse(environ, start_response, "503 Slow Down", [("Retry-After", "0")])
            if bucket == "full" and method == "PUT":
                return self.refuse(environ, start_response, "507 Insufficient Storage", [])
            if bucket == "broken" and method == "GET" and key:
                return halved(b"".join(self.app(environ, start_response)))
        return self.app(environ, start_response)

    @staticmethod
    def refuse(environ, start_response, status, headers):
        environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        start_response(status, [("Content-Length", "0"), *headers])
        return []


def main():
    application = Faults(DomainDispatcherApplication(create_backend_app))
    server = make_server("127.0.0.1", 0, application, threaded=True, request_handler=Quiet)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    options = {
        "endpoint_url": address, "region_name": "us-east-1", "aws_access_key_id": "setup", "aws_secret_access_key": "setup",
    }
    iam, s3 = boto3.client("iam", **options), boto3.client("s3", **options)
    for bucket in BUCKETS:
        s3.create_bucket(Bucket=bucket)
    keys = []
    for user in ["owner", "stranger"]:
        iam.create_user(UserName=user)
        key = iam.create_access_key(UserName=user)["AccessKey"]
        keys.append([key["AccessKeyId"], key["SecretAccessKey"]])
    policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
    iam.put_user_policy(UserName="owner", PolicyName="everything", PolicyDocument=json.dumps(policy))
    # From now on, each signature is checked.
    settings.INITIAL_NO_AUTH_ACTION_COUNT = 0
    is_set_up.set()
    print(json.dumps({"port": server.server_port, "owner": keys[0], "stranger": keys[1]}), flush=True)
    sys.stdin.read()
    os._exit(0)


main()
