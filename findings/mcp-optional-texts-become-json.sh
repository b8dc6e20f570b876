#!/bin/sh
# Guess: a tool of the official SDK of the Model Context Protocol for Python whose parameter is `str | None` gets the
# text that the client sent, as one whose parameter is `str` does.
# Seen with mcp 2.3.0 (PyPI): the optional text is parsed as JSON first. The text `null` arrives as None, and `[1]` or
# `{"a": 1}` is refused, as it is a list or an object by then; `1.50` and `true` stay texts. With `str` each arrives
# as it is. So it depends on what is in a text whether it can be spoken, from the day on that the parameter became
# optional.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet mcp==2.3.0
cat > try.py <<'END'
import asyncio
import logging

from mcp import Client
from mcp.server.mcpserver import MCPServer

server = MCPServer('texts')
logging.disable()


@server.tool()
def required(text: str) -> str:
    return repr(text)


@server.tool()
def optional(text: str | None = 'default') -> str:
    return repr(text)


async def main():
    async with Client(server) as client:
        for text in ('唔該', '1.50', 'true', 'null', '[1]', '{"a": 1}'):
            seen = []
            for name in ('required', 'optional'):
                result = await client.call_tool(name, {'text': text})
                seen.append('refused' if result.is_error else result.content[0].text)
            print(text, *seen, sep=' | ')


asyncio.run(main())
END
python/bin/python -W ignore try.py > seen
cat seen
cat > expected <<'END'
唔該 | '唔該' | '唔該'
1.50 | '1.50' | '1.50'
true | 'true' | 'true'
null | 'null' | None
[1] | '[1]' | refused
{"a": 1} | '{"a": 1}' | refused
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
