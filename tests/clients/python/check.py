"""A foreign client: knows the address of a server and nothing else.

Everything it sends is built from what the server says about itself by reflection (v1alpha, which is all that
grpcio's client speaks); there is no generated code. It calls every method and holds the answers against known
values.

    python check.py 127.0.0.1:50051           check the server there
    python check.py --wait 60 127.0.0.1:50051  wait until it is healthy, then stop
"""

import argparse
import sys
import time

import grpc
from google.protobuf import json_format
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase
from grpc_status import rpc_status

PACKAGE = "doublecross.v1"
SERVICE = f"{PACKAGE}.Solver"
TIMEOUT = 30


class Solver:
    """The service, as reflection describes it. Messages go in and come out as proto3 JSON objects."""

    def __init__(self, channel):
        self.channel = channel
        self.database = ProtoReflectionDescriptorDatabase(channel)
        self.pool = DescriptorPool(self.database)
        self.service = self.pool.FindServiceByName(SERVICE)

    def method(self, name):
        method = self.service.methods_by_name[name]
        request, response = GetMessageClass(method.input_type), GetMessageClass(method.output_type)
        kinds = {
            (False, False): self.channel.unary_unary,
            (False, True): self.channel.unary_stream,
            (True, False): self.channel.stream_unary,
            (True, True): self.channel.stream_stream,
        }
        kind = kinds[method.client_streaming, method.server_streaming]
        call = kind(f"/{SERVICE}/{name}", request.SerializeToString, response.FromString)
        return call, request

    def __call__(self, name, request):
        call, message = self.method(name)
        return to_object(call(json_format.ParseDict(request, message()), timeout=TIMEOUT))

    def stream(self, name, requests):
        call, message = self.method(name)
        sent = (json_format.ParseDict(request, message()) for request in requests)
        return (to_object(answer) for answer in call(sent, timeout=TIMEOUT))


def to_object(message):
    return json_format.MessageToDict(message, always_print_fields_with_no_presence=True)


def wait_until_healthy(channel, seconds):
    """Polls the health of the whole server until it is SERVING."""
    deadline = time.monotonic() + seconds
    stub = health_pb2_grpc.HealthStub(channel)
    seen = "no answer"
    while time.monotonic() < deadline:
        try:
            status = stub.Check(health_pb2.HealthCheckRequest(), timeout=2, wait_for_ready=True).status
            if status == health_pb2.HealthCheckResponse.SERVING:
                return
            seen = health_pb2.HealthCheckResponse.ServingStatus.Name(status)
            time.sleep(0.1)
        except grpc.RpcError as error:
            seen = error.code().name
    sys.exit(f"not healthy after {seconds} s: {seen}")


def check_health(channel):
    stub = health_pb2_grpc.HealthStub(channel)
    for service in ("", SERVICE):
        status = stub.Check(health_pb2.HealthCheckRequest(service=service), timeout=TIMEOUT).status
        assert status == health_pb2.HealthCheckResponse.SERVING, (service, status)
    watch = stub.Watch(health_pb2.HealthCheckRequest(service=SERVICE), timeout=TIMEOUT)
    assert next(watch).status == health_pb2.HealthCheckResponse.SERVING
    watch.cancel()


def check_reflection(solver):
    services = set(solver.database.get_services())
    assert {SERVICE, "grpc.health.v1.Health"} <= services, services
    methods = set(solver.service.methods_by_name)
    expected = {"EndgameValue", "TakerValue", "ExactSolve", "Structure", "BestMove", "EndgameAdvice", "Controller",
                "Nimstring", "ReviewGame", "Evaluate", "EvaluateBatch", "Limits"}
    assert methods == expected, methods


def check_endgame_value(solver):
    answer = solver("EndgameValue", {"endgame": {"chains": [9, 5, 2]}})
    assert answer["value"] == 8, answer
    assert answer["bestOpenings"] == [{"chain": 2, "openedAt": "MIDDLE"}], answer
    assert (answer["source"], answer["table"]) == ("TABLE", "endgame-40"), answer
    empty = solver("EndgameValue", {"endgame": {}})
    assert empty["value"] == 0 and empty["bestOpenings"] == [], empty
    far = solver("EndgameValue", {"endgame": {"chains": [100, 100]}})
    assert far["value"] == -(2 * 96 + 4) and far["source"] == "ENDGAME", far


def check_taker_value(solver):
    answer = solver("TakerValue", {"opened": {"chain": 3}, "rest": {"chains": [3]}})
    # The rest costs 3 to open, and a decline leaves 2: 3 - 2 * 2 + 3 = 2, against 3 - 3 = 0.
    assert (answer["value"], answer["takeAll"], answer["decline"]) == (2, 0, 2), answer
    assert (answer["advice"], answer["bribe"]) == ("DECLINE", 2), answer
    middle = solver("TakerValue", {"opened": {"chain": 2, "openedAt": "MIDDLE"}, "rest": {"loops": [8]}})
    assert middle["advice"] == "TAKE_ALL" and "decline" not in middle, middle


EMPTY_2X2 = {"rows": 2, "cols": 2, "edges": "0" * 12}


def check_exact_solve(solver):
    answer = solver("ExactSolve", {"position": EMPTY_2X2, "allMoves": True, "principalVariation": True})
    assert answer["value"] == 2, answer
    assert (answer["source"], answer["table"]) == ("TABLE", "board-2x2"), answer
    values = {move["edge"]: move["value"] for move in answer["moveValues"]}
    assert sorted(values) == list(range(12)), values
    best = [edge for edge in sorted(values) if values[edge] == 2]
    assert answer["bestMoves"] == best and best, answer
    assert answer["principalVariation"][0] in best and len(answer["principalVariation"]) == 12, answer
    # The board has eight symmetries, and the set of best moves has all of them: border and middle edges.
    border = [0, 1, 4, 5, 6, 8, 9, 11]
    assert all(len({values[e] for e in part}) == 1 for part in (border, [2, 3, 7, 10])), values
    bits = {"rows": 2, "cols": 2, "drawn": "AAA="}
    assert solver("ExactSolve", {"position": bits})["value"] == 2
    # The same board with its rows and columns exchanged, a board of 28 edges, and one no default table has.
    assert solver("ExactSolve", {"position": {"rows": 3, "cols": 2, "edges": "0" * 17}})["value"] == -2
    wide = solver("ExactSolve", {"position": {"rows": 1, "cols": 9, "edges": "0" * 28}})
    assert wide["value"] == -1 and wide["table"] == "board-1x9", wide
    wider = solver("ExactSolve", {"position": {"rows": 1, "cols": 11, "edges": "0" * 34}})
    assert wider["value"] == -1 and wider["source"] == "SEARCH", wider


def check_structure(solver):
    # A 1x3 board with its long sides drawn is one chain of three.
    answer = solver("Structure", {"position": {"rows": 1, "cols": 3, "edges": "1111110000"}})
    (chain,) = answer["chains"]
    assert (chain["length"], chain["boxes"], chain["edges"]) == (3, [0, 1, 2], [6, 7, 8, 9]), chain
    assert chain["state"] == "ISOLATED" and answer["decomposed"], answer
    assert answer["endgame"]["chains"] == [3] and answer["safeMoves"] == [], answer


def check_theory(solver):
    # Two rows of three boxes, the upper one opened: decline.
    position = {"rows": 2, "cols": 3, "edges": "1" * 10 + "0" * 7}
    advice = solver("EndgameAdvice", {"position": position})
    assert (advice["verdict"], advice["takeAll"], advice["decline"], advice["value"]) == ("DECLINE", 0, 2, 2), advice
    control = solver("Controller", {"position": position})
    assert (control["longChains"], control["turnsLeft"], control["lastTurn"]) == (2, 3, "MOVER"), control
    assert control["assumption"] == "HOLDS", control
    nim = solver("Nimstring", {"position": position})
    assert nim["value"] == {"loony": True} and nim["regions"][1]["value"] == {"nimber": 0}, nim
    best = solver("BestMove", {"position": position, "player": "perfect"})
    assert best["turn"] == [10, 12] and best["proven"], best


def check_review(solver):
    review = solver("ReviewGame", {"rows": 1, "cols": 1, "moves": [0, 1, 2, 3]})
    assert review["result"] == {"kind": "FULL_BOARD", "winner": "SECOND", "first": 0, "second": 1}, review
    assert [move["lost"] for move in review["moves"]] == [0, 0, 0, 0] and "losingMove" not in review, review


QUERIES = [
    {"id": "a", "endgameValue": {"endgame": {"chains": [9, 5, 2]}}},
    {"id": "b", "takerValue": {"opened": {"chain": 3}, "rest": {"chains": [3]}}},
    {"id": "bad", "endgameValue": {"endgame": {"loops": [5]}}},
    {"id": "c", "exactSolve": {"position": EMPTY_2X2, "allMoves": True}},
    {"id": "d", "structure": {"position": EMPTY_2X2}},
    {"id": "none"},
]


def check_answers(answers, copies):
    """One answer for each query, in order; the bad ones fail alone."""
    assert [answer["id"] for answer in answers] == [q["id"] for _ in range(copies) for q in QUERIES]
    for start in range(0, len(answers), len(QUERIES)):
        a, b, bad, c, d, none = answers[start : start + len(QUERIES)]
        assert a["endgameValue"]["value"] == 8, a
        assert b["takerValue"]["advice"] == "DECLINE", b
        assert bad["error"]["code"] == "INVALID_ARGUMENT", bad
        assert [v["field"] for v in bad["error"]["violations"]] == ["endgame.loops[0]"], bad
        assert c["exactSolve"]["value"] == 2, c
        assert len(d["structure"]["safeMoves"]) == 12, d
        assert none["error"]["code"] == "INVALID_ARGUMENT", none


def check_evaluate(solver):
    copies = 500
    check_answers(list(solver.stream("Evaluate", QUERIES * copies)), copies)
    # An answer comes as soon as it is known, while the stream is still open.
    asked = iter(QUERIES)
    answers = solver.stream("Evaluate", asked)
    assert next(answers)["endgameValue"]["value"] == 8
    assert len(list(answers)) == len(QUERIES) - 1


def check_evaluate_batch(solver):
    copies = 20
    answer = solver("EvaluateBatch", {"requests": QUERIES * copies})
    check_answers(answer["responses"], copies)


def check_refusals(solver):
    """What breaks a rule is refused with the field and the rule, in the standard error details."""
    wrong = [
        ("EndgameValue", {"endgame": {"chains": [3, 0]}}, "endgame.chains[1]"),
        ("EndgameValue", {"endgame": {"loops": [5]}}, "endgame.loops[0]"),
        ("EndgameValue", {}, "endgame"),
        ("TakerValue", {"opened": {"chain": 3, "openedAt": "MIDDLE"}}, "opened.opened_at"),
        ("ExactSolve", {"position": {"rows": 33, "cols": 2, "edges": ""}}, "position.rows"),
        ("ExactSolve", {"position": {"rows": 2, "cols": 2, "edges": "0" * 11}}, "position.edges"),
        ("ExactSolve", {"position": {"rows": 2, "cols": 2, "drawn": "AIA="}}, "position.drawn"),
        ("ExactSolve", {"position": {**EMPTY_2X2, "score": {"mover": 1}}}, "position.score"),
        ("Structure", {"position": {"rows": 2, "cols": 2, "edges": "0" * 11 + "2"}}, "position.edges"),
    ]
    for method, request, field in wrong:
        try:
            answer = solver(method, request)
        except grpc.RpcError as error:
            assert error.code() == grpc.StatusCode.INVALID_ARGUMENT, error
            found, info = error_details_pb2.BadRequest(), error_details_pb2.ErrorInfo()
            details = rpc_status.from_call(error).details
            assert any(detail.Unpack(info) for detail in details), details
            assert (info.reason, info.domain) == ("INVALID_REQUEST", "doublecross"), info
            assert any(detail.Unpack(found) for detail in details), details
            assert [v.field for v in found.field_violations] == [field], found
            assert all(v.description for v in found.field_violations), found
        else:
            sys.exit(f"{method} {request} was answered: {answer}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--wait", type=float, metavar="SECONDS")
    parser.add_argument("address")
    arguments = parser.parse_args()
    with grpc.insecure_channel(arguments.address) as channel:
        if arguments.wait:
            return wait_until_healthy(channel, arguments.wait)
        check_health(channel)
        solver = Solver(channel)
        checks = [
            check_reflection,
            check_endgame_value,
            check_taker_value,
            check_exact_solve,
            check_structure,
            check_theory,
            check_review,
            check_evaluate,
            check_evaluate_batch,
            check_refusals,
        ]
        for check in checks:
            check(solver)
            print(f"python: {check.__name__.removeprefix('check_')} ok")


if __name__ == "__main__":
    main()
