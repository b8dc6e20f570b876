#!/bin/sh
# Guess: HTTP clients of Python send an open file from where it was read to: a program that has looked at the header
# of 44 bytes sends the sound behind it, and one that has read all sends nothing.
# Seen with httpx 0.28.1, httpx2 2.16.2, requests 2.34.2 and aiohttp 3.14.5 (PyPI): requests and aiohttp do so. In a
# form httpx and httpx2 go back to the start and send the header too. As the content of a request httpx states the
# length of the whole file, sends the rest and raises an error of h11, which is no error of httpx; httpx2 sends the
# rest. Who changes from requests uploads other bytes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --no-compile httpx==0.28.1 httpx2==2.16.2 requests==2.34.2 aiohttp==3.14.5
cat > try.py <<'END'
import asyncio
import http.server
import threading

import aiohttp
import httpx
import httpx2
import requests

HEADER, SOUND = b'\xff', b'\xfe'
bodies = []


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = b''
        if 'content-length' in self.headers:
            body = self.rfile.read(int(self.headers['content-length']))
        else:
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size + 2)[:-2]
            self.rfile.readline()
        bodies.append(body)
        self.send_response(200)
        self.send_header('content-length', '0')
        self.end_headers()


class Quiet(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        pass


server = Quiet(('127.0.0.1', 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f'http://127.0.0.1:{server.server_port}/'
with open('a.wav', 'wb') as file:
    file.write(HEADER * 44 + SOUND * 1_000)


async def post(data):
    async with aiohttp.ClientSession() as session, session.post(address, data=data):
        pass


def form(file):
    data = aiohttp.FormData()
    data.add_field('file', file, filename='a.wav')
    return data


clients = {
    'requests, form': lambda file: requests.post(address, files={'file': file}),
    'aiohttp, form': lambda file: asyncio.run(post(form(file))),
    'httpx, form': lambda file: httpx.post(address, files={'file': file}),
    'httpx2, form': lambda file: httpx2.post(address, files={'file': file}),
    'requests, content': lambda file: requests.post(address, data=file),
    'aiohttp, content': lambda file: asyncio.run(post(file)),
    'httpx, content': lambda file: httpx.post(address, content=file),
    'httpx2, content': lambda file: httpx2.post(address, content=file),
}
for name, send in clients.items():
    with open('a.wav', 'rb') as file:
        file.read(44)
        try:
            bodies.clear()
            send(file)
            print(f'{name}: {bodies[0].count(HEADER)} bytes of the header, {bodies[0].count(SOUND)} of sound')
        except Exception as error:
            print(f'{name}: {type(error).__name__}, an error of httpx: {isinstance(error, httpx.HTTPError)}')
END
python/bin/python -W ignore try.py > seen
cat seen
cat > expected <<'END'
requests, form: 0 bytes of the header, 1000 of sound
aiohttp, form: 0 bytes of the header, 1000 of sound
httpx, form: 44 bytes of the header, 1000 of sound
httpx2, form: 44 bytes of the header, 1000 of sound
requests, content: 0 bytes of the header, 1000 of sound
aiohttp, content: 0 bytes of the header, 1000 of sound
httpx, content: LocalProtocolError, an error of httpx: False
httpx2, content: 0 bytes of the header, 1000 of sound
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
