#!/bin/sh
# Guess: where a server answers 503 or 429, the SDK of ElevenLabs for Python sends the same request again.
# Seen with elevenlabs 2.78.0 (PyPI): the second request for a transcription has the file alone. `model_id`,
# `language_code`, `diarize` and all other fields of the form are gone. What a server with defaults gives then is the
# answer to something else than was wanted, in another language and without speakers, and the caller gets no error;
# others answer that `model_id` is missing, and that hides the 503. openai 3.57.0 (PyPI) sends its form again.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --no-compile elevenlabs==2.78.0 openai==3.57.0
cat > try.py <<'END'
import http.server
import io
import json
import re
import threading

import elevenlabs
import openai

ANSWER = {'text': '', 'language_code': 'yue', 'language_probability': 1, 'words': []}
FIELDS = {'model_id', 'model', 'language_code', 'language', 'diarize', 'file'}
forms = []


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers['content-length']))
        forms.append(sorted(FIELDS & set(re.findall('; name="([^"]*)"', body.decode('latin1')))))
        answer = json.dumps(ANSWER).encode()
        self.send_response(503 if len(forms) == 1 else 200)
        self.send_header('content-type', 'application/json')
        self.send_header('content-length', str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f'http://127.0.0.1:{server.server_port}'
file = ('a.wav', io.BytesIO(bytes(1_000)))
calls = {
    'elevenlabs': lambda: elevenlabs.ElevenLabs(api_key='key', base_url=address).speech_to_text.convert(
        model_id='scribe_v2', language_code='yue', diarize=True, file=file),
    'openai': lambda: openai.OpenAI(api_key='key', base_url=address).audio.transcriptions.create(
        model='whisper-1', language='yue', file=file),
}
for name, call in calls.items():
    forms.clear()
    call()
    for form in forms:
        print(f'{name}: {", ".join(form)}')
END
python/bin/python -W ignore try.py > seen
cat seen
cat > expected <<'END'
elevenlabs: diarize, file, language_code, model_id
elevenlabs: file
openai: file, language, model
openai: file, language, model
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
