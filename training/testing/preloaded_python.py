#!/usr/bin/python3 -S
"""Runs Python commands in copies of one process that has loaded PyTorch, which takes 1.5 seconds.

usage: python3 preloaded_python.py   serves commands at the socket PRELOADED_PYTHON until the
                                     standard input ends
       preloaded_python.py FILE ...  (or -c, -m) is used like python3 while the former runs

A command has the arguments, folder, environment, inputs and outputs of the program that asks for
it, ends with it when it is killed, and gives it its status.
"""
import atexit
import json
import os
import select
import signal
import socket
import sys
import traceback
from contextlib import suppress

LONGEST = 1 << 17  # bytes of a request, which is mostly the environment


def serve(path):
    import onnx  # noqa: F401
    import scipy.signal  # noqa: F401
    import soundfile  # noqa: F401
    import torch.onnx  # noqa: F401

    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind(path)
    listener.listen()
    print('ready', flush=True)
    commands = {}  # the file descriptor of a process: its id and connection
    while True:
        asking = {connection: process for process, connection in commands.values()}
        for source in select.select([sys.stdin, listener, *commands, *asking], [], [])[0]:
            if source is sys.stdin:
                for process in asking.values():
                    os.killpg(process, signal.SIGKILL)
                return
            if source is listener:
                connection = listener.accept()[0]
                message, descriptors, _, _ = socket.recv_fds(connection, LONGEST, 3)
                process = os.fork()
                if process == 0:
                    exit_after(lambda: run(json.loads(message), descriptors))
                for descriptor in descriptors:
                    os.close(descriptor)
                commands[os.pidfd_open(process)] = process, connection
            elif source in commands:
                process, connection = commands.pop(source)
                os.close(source)
                status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
                with suppress(BrokenPipeError):
                    connection.send(bytes([status % 256]))
                connection.close()
            else:
                # A command says nothing: this is the end of the program that asked for it.
                with suppress(ProcessLookupError):
                    os.killpg(asking[source], signal.SIGKILL)


def exit_after(action):
    """Ends the process as Python would, without freeing PyTorch, which takes half a second."""
    status = 0
    try:
        action()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
        status = 1
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def run(request, descriptors):
    import runpy

    os.setpgid(0, 0)
    for target, descriptor in enumerate(descriptors):
        os.dup2(descriptor, target)
        os.close(descriptor)
    os.chdir(request['folder'])
    os.environ.clear()
    os.environ.update(request['environment'])
    option, *rest = request['arguments']
    if option in ('-c', '-m'):
        sys.path[0] = ''
        sys.argv = [option, *rest[1:]]
        if option == '-c':
            exec(compile(rest[0], '<string>', 'exec'), {'__name__': '__main__'})
        else:
            runpy.run_module(rest[0], run_name='__main__', alter_sys=True)
    else:
        sys.path[0] = os.path.dirname(os.path.abspath(option))
        sys.argv = [option, *rest]
        runpy.run_path(option, run_name='__main__')


def ask(path):
    request = {
        'arguments': sys.argv[1:],
        'folder': os.getcwd(),
        'environment': dict(os.environ),
    }
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection:
        connection.connect(path)
        socket.send_fds(connection, [json.dumps(request).encode()], [0, 1, 2])
        return connection.recv(1)[0]


if __name__ == '__main__':
    action = serve if len(sys.argv) == 1 else ask
    sys.exit(action(os.environ['PRELOADED_PYTHON']))
