"""Asks sourcekit-lsp, over its protocol, what it knows in an opcode's file:

    language-server.py PACKAGE SOURCE

Prints what it proposes behind the first `arguments.` of a line with `let sample`, and what it says of that word. The
package must be built, because the server indexes nothing here.
"""

import json
import pathlib
import queue
import subprocess
import sys
import threading
import time

package, source = (pathlib.Path(word).resolve() for word in sys.argv[1:])
server = subprocess.Popen(
    ["sourcekit-lsp"],
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    stderr=subprocess.DEVNULL,
)
answers = queue.Queue()


def read():
    while True:
        length = 0
        while line := server.stdout.readline().strip():
            name, value = line.split(b":", 1)
            if name.lower() == b"content-length":
                length = int(value)
        if length == 0:
            return
        message = json.loads(server.stdout.read(length))
        if "method" not in message:
            answers.put(message)
        elif "id" in message:
            send({"id": message["id"], "result": None})


def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    server.stdin.flush()


def ask(method, parameters):
    ask.count += 1
    send({"id": ask.count, "method": method, "params": parameters})
    while (answer := answers.get(timeout=300))["id"] != ask.count:
        pass
    return answer.get("result")


ask.count = 0
threading.Thread(target=read, daemon=True).start()
ask(
    "initialize",
    {
        "rootUri": package.as_uri(),
        "capabilities": {},
        "initializationOptions": {
            "backgroundIndexing": False,
            "experimentalFeatures": ["synchronize-for-build-system-updates"],
        },
    },
)
send({"method": "initialized", "params": {}})
text = source.read_text()
document = {"uri": source.as_uri()}
send(
    {
        "method": "textDocument/didOpen",
        "params": {
            "textDocument": {
                **document,
                "languageId": "swift",
                "version": 1,
                "text": text,
            }
        },
    }
)
row, line = next(
    (row, line) for row, line in enumerate(text.split("\n")) if "let sample" in line
)
column = line.index("arguments.") + len("arguments.")
place = {"textDocument": document, "position": {"line": row, "character": column}}

# The server answers with nothing until it has read the manifest, which takes minutes on a busy machine: it is asked to
# say when. Where a server does not know that request, it is asked again until it answers.
ask("workspace/synchronize", {"buildServerUpdates": True})
end = time.monotonic() + 300
labels = []
while not labels and time.monotonic() < end:
    found = ask("textDocument/completion", place)
    labels = [item["label"] for item in (found or {"items": []})["items"]]
    if not labels:
        threading.Event().wait(0.5)
print("completion:", ", ".join(labels))
hover = ask("textDocument/hover", place)
print("hover:", hover["contents"]["value"].split("\n")[1] if hover else "nothing")
ask("shutdown", None)
send({"method": "exit"})
server.wait(10)
