"""Clients of the Model Context Protocol."""

import base64

from harness import KEY, URL, WAV, attempt

ADDRESS = f"{URL}/mcp"
HEADERS = {"authorization": f"Bearer {KEY}"}
TEXT = "早晨。今日好熱。"
SENTENCE = "我住喺九龍，返工要搭地鐵。"
PATIENCE_SECONDS = 30


def recording():
    with open(WAV, "rb") as sound:
        return {"file": base64.b64encode(sound.read()).decode(), "language": "cantonese"}


def mcp():
    import httpx2
    from mcp import ClientSession
    from mcp.client.streamable_http import streamable_http_client

    async def within_session(work):
        async with httpx2.AsyncClient(headers=HEADERS, timeout=PATIENCE_SECONDS) as http:
            async with streamable_http_client(ADDRESS, http_client=http) as (reads, writes):
                async with ClientSession(reads, writes) as session:
                    await session.initialize()
                    return await work(session)

    def call(tool, **arguments):
        async def first(session):
            answer = await session.call_tool(tool, arguments)
            if answer.is_error:
                raise RuntimeError(answer.content[0].text)
            part = answer.content[0]
            return f"{len(part.data)} characters of sound" if part.type == "audio" else part.text

        return within_session(first)

    async def tools(session):
        return f"{len((await session.list_tools()).tools)} tools"

    async def transcript(session):
        found = (await session.list_resources()).resources
        return (await session.read_resource(found[0].uri)).contents[0].text

    attempt("tools", lambda: within_session(tools))
    attempt("file", lambda: call("transcribe", **recording()))
    attempt("file as a resource", lambda: within_session(transcript))
    attempt("speech", lambda: call("speak", text=TEXT))
    attempt("readings", lambda: call("jyutping", text=TEXT))
    attempt("score", lambda: call("score", file=recording()["file"], text=SENTENCE))


def mcp_1_9():
    """The last one that speaks a version without links to resources."""
    from mcp import ClientSession
    from mcp.client.streamable_http import streamablehttp_client

    async def call(tool, **arguments):
        async with streamablehttp_client(ADDRESS, headers=HEADERS) as (reads, writes, _):
            async with ClientSession(reads, writes) as session:
                await session.initialize()
                return (await session.call_tool(tool, arguments)).content[0]

    async def text(tool, **arguments):
        return (await call(tool, **arguments)).text

    async def speech():
        return f"{len((await call('speak', text=TEXT)).data)} characters of sound"

    attempt("file", lambda: text("transcribe", **recording()))
    attempt("readings", lambda: text("jyutping", text=TEXT))
    attempt("speech", speech)


def fastmcp():
    from fastmcp import Client
    from fastmcp.client.transports import StreamableHttpTransport

    async def within_session(work):
        async with Client(StreamableHttpTransport(ADDRESS, headers=HEADERS)) as client:
            return await work(client)

    async def tools(client):
        return f"{len(await client.list_tools())} tools"

    async def text(client):
        return (await client.call_tool("transcribe", recording())).content[0].text

    async def transcript(client):
        found = await client.list_resources()
        return (await client.read_resource(found[0].uri))[0].text

    async def speech(client):
        answer = await client.call_tool("speak", {"text": TEXT})
        return f"{len(answer.content[0].data)} characters of sound"

    attempt("tools", lambda: within_session(tools))
    attempt("file", lambda: within_session(text))
    attempt("file as a resource", lambda: within_session(transcript))
    attempt("speech", lambda: within_session(speech))


def langchain_mcp_adapters():
    """Without speech: it refuses sound in any answer."""
    from langchain_mcp_adapters.client import MultiServerMCPClient

    server = {"transport": "streamable_http", "url": ADDRESS, "headers": HEADERS}

    async def call(tool, arguments):
        tools = await MultiServerMCPClient({"jyutsing": server}).get_tools()
        chosen = next(one for one in tools if one.name == tool)
        return (await chosen.ainvoke(arguments))[0]["text"]

    attempt("file", lambda: call("transcribe", recording()))
    attempt("readings", lambda: call("jyutping", {"text": TEXT}))
