#!/bin/sh
# Guess: the SDK of Deepgram for Python, whose `transcribe_file` takes an iterator of bytes, gives the error where a
# server answers 503 behind it, as the sound cannot be sent again; or it keeps the sound.
# Seen with deepgram-sdk 7.17.0 (PyPI): it sends the request again with the used-up iterator, which is no byte at all,
# and gives the transcript of that, without an error. So a recording that is passed on while it is read is empty now
# and then, when the other side is busy. An open file raises `LocalProtocolError: Too little data`, which says nothing
# of the 503; with `max_retries` of 0 each gives the error, and bytes are sent whole again.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet deepgram-sdk==7.17.0
cat > try.py <<'END'
import http.server
import json
import threading

import deepgram
from deepgram.environment import DeepgramClientEnvironment


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def log_message(self, *_):
        pass

    def do_POST(self):
        length = int(self.headers.get('content-length', 0))
        if self.headers.get('transfer-encoding') == 'chunked':
            while size := int(self.rfile.readline(), 16):
                self.rfile.read(size + 2)
                length += size
            self.rfile.readline()
        elif not self.rfile.read(length):
            length = 0
        lengths = self.server.lengths
        lengths.append(length)
        answer = json.dumps({'error': 'busy'} if len(lengths) == 1 else {'metadata': {}, 'results': {'channels': []}}).encode()
        self.send_response(503 if len(lengths) == 1 else 200)
        self.send_header('content-type', 'application/json')
        self.send_header('content-length', str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


def pieces():
    for _ in range(4):
        yield bytes(8_000)


class Quiet(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        pass


with open('a.wav', 'wb') as file:
    file.write(bytes(32_000))
calls = {
    'bytes': (bytes(32_000), {}),
    'iterator': (pieces(), {}),
    'iterator, no retries': (pieces(), {'max_retries': 0}),
    'file': (open('a.wav', 'rb'), {}),
    'file, no retries': (open('a.wav', 'rb'), {'max_retries': 0}),
}
for name, (sound, options) in calls.items():
    server = Quiet(('127.0.0.1', 0), Server)
    server.lengths = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f'http://127.0.0.1:{server.server_port}'
    environment = DeepgramClientEnvironment(base=address, production=address, agent=address, agent_rest=address)
    client = deepgram.DeepgramClient(api_key='key', environment=environment)
    try:
        client.listen.v1.media.transcribe_file(request=sound, model='nova-3', request_options=options)
        result = 'a transcript'
    except Exception as error:
        result = f'{type(error).__name__} {getattr(error, "status_code", "")}'.strip()
    # An open file that is used up breaks the connection, so it depends on the moment what the server counts.
    print(f'{name}: {result}' if name == 'file' else f'{name}: sent {server.lengths}, {result}')
END
python/bin/python -W ignore try.py > seen
cat seen
cat > expected <<'END'
bytes: sent [32000, 32000], a transcript
iterator: sent [32000, 0], a transcript
iterator, no retries: sent [32000], ApiError 503
file: LocalProtocolError
file, no retries: sent [32000], ApiError 503
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
