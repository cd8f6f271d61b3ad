"""A foreign client of the asyncio kind: many calls at once, streams in both directions, deadlines and cancelling.

Like check.py it knows the address of a server and nothing else: messages are built from what reflection says.

    python check_asyncio.py 127.0.0.1:50051
"""

import argparse
import asyncio
import time

import grpc
from google.protobuf import json_format
from grpc_health.v1 import health_pb2, health_pb2_grpc

from check import EMPTY_2X2, QUERIES, SERVICE, TIMEOUT, Solver, check_answers, to_object

# Far more search than the deadlines here leave time for.
LONG = {"position": {"rows": 6, "cols": 6, "edges": "0" * 84}}


class AsyncSolver(Solver):
    """The service by reflection, which only the other kind of client can ask, called over a channel of this kind."""

    def __init__(self, described, channel):
        super().__init__(described)
        self.channel = channel

    def begin(self, name, request, timeout=TIMEOUT, metadata=None):
        """A unary call under way."""
        call, message = self.method(name)
        return call(json_format.ParseDict(request, message()), timeout=timeout, metadata=metadata)

    async def __call__(self, name, request):
        return to_object(await self.begin(name, request))


async def check_health(solver):
    stub = health_pb2_grpc.HealthStub(solver.channel)
    for service in ("", SERVICE):
        answer = await stub.Check(health_pb2.HealthCheckRequest(service=service), timeout=TIMEOUT)
        assert answer.status == health_pb2.HealthCheckResponse.SERVING, (service, answer)
    watch = stub.Watch(health_pb2.HealthCheckRequest(service=SERVICE), timeout=TIMEOUT)
    assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING
    watch.cancel()
    try:
        await stub.Check(health_pb2.HealthCheckRequest(service="no.such.Service"), timeout=TIMEOUT)
    except grpc.aio.AioRpcError as error:
        assert error.code() == grpc.StatusCode.NOT_FOUND, error
    else:
        raise AssertionError("a service that is not there is healthy")


async def check_many_at_once(solver):
    async def value(chain):
        answer = await solver("EndgameValue", {"endgame": {"chains": [chain]}})
        return answer["value"]

    # Whoever must open the only chain loses all of it.
    chains = range(1, 201)
    assert await asyncio.gather(*map(value, chains)) == [-chain for chain in chains]


async def check_stream(solver):
    call, message = solver.method("Evaluate")

    def ask(query):
        return json_format.ParseDict(query, message())

    # Ask, be answered, ask on: neither side waits for more than it needs.
    stream = call(timeout=TIMEOUT)
    for query in QUERIES:
        await stream.write(ask(query))
        answer = to_object(await stream.read())
        assert answer["id"] == query["id"], answer
    await stream.done_writing()
    assert await stream.read() == grpc.aio.EOF
    assert await stream.code() == grpc.StatusCode.OK

    # All at once, from a generator, more than the server reads ahead.
    copies = 500

    async def queries():
        for query in QUERIES * copies:
            yield ask(query)

    answers = [to_object(answer) async for answer in call(queries(), timeout=TIMEOUT)]
    check_answers(answers, copies)


async def check_deadline(solver):
    begun = time.monotonic()
    try:
        await solver.begin("ExactSolve", LONG, timeout=0.3)
    except grpc.aio.AioRpcError as error:
        assert error.code() == grpc.StatusCode.DEADLINE_EXCEEDED, error
    else:
        raise AssertionError("an empty board of 6x6 was solved in 0.3 s")
    assert time.monotonic() - begun < 5


async def check_cancel(solver):
    call = solver.begin("ExactSolve", LONG)
    await asyncio.sleep(0.2)
    assert call.cancel()
    try:
        await call
    except asyncio.CancelledError:
        pass
    assert await call.code() == grpc.StatusCode.CANCELLED

    method, message = solver.method("Evaluate")
    stream = method(timeout=TIMEOUT)
    await stream.write(json_format.ParseDict(QUERIES[0], message()))
    await stream.read()
    stream.cancel()
    assert await stream.code() == grpc.StatusCode.CANCELLED

    # Neither keeps the server from the next.
    assert (await solver("ExactSolve", {"position": EMPTY_2X2}))["value"] == 2


async def check_metadata(solver):
    call = solver.begin("EndgameValue", {"endgame": {}}, metadata=[("x-request-id", "a-name-of-ours")])
    await call
    assert await call.code() == grpc.StatusCode.OK
    answered = {key: value for key, value in await call.initial_metadata()}
    assert answered.get("x-request-id") == "a-name-of-ours", answered


async def main(address):
    with grpc.insecure_channel(address) as described:
        async with grpc.aio.insecure_channel(address) as channel:
            solver = AsyncSolver(described, channel)
            checks = [check_health, check_many_at_once, check_stream, check_deadline, check_cancel, check_metadata]
            for check in checks:
                await check(solver)
                print(f"python asyncio: {check.__name__.removeprefix('check_')} ok")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("address")
    asyncio.run(main(parser.parse_args().address))
