// A foreign client as a browser would be: gRPC-Web over HTTP/1.1, and plain fetch. It knows the address of a server
// and nothing else; messages are built from what reflection says, which alone goes over HTTP/2.
//
//     node check.js http://127.0.0.1:50051 [ORIGIN]
//
// ORIGIN is the one the server was told to let in by --cors-origin; without it the server must let in none.

import assert from "node:assert/strict";

import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";

import { BadRequest, describe } from "./reflection.js";

const SOLVER = "doublecross.v1.Solver";
const HEALTH = "grpc.health.v1.Health";
const SERVING = 1;

const [address, origin] = process.argv.slice(2);
// The page that calls, and one that nobody let in.
const page = origin === "*" ? "https://example.com" : origin;
const stranger = "https://stranger.example";
if (!address) {
  console.error("usage: node check.js http://127.0.0.1:50051 [ORIGIN]");
  process.exit(2);
}

const described = await describe(createGrpcTransport({ baseUrl: address }), [SOLVER, HEALTH]);
const web = createGrpcWebTransport({ baseUrl: address, httpVersion: "1.1", defaultTimeoutMs: 30_000 });
const solver = createClient(described.getService(SOLVER), web);
const health = createClient(described.getService(HEALTH), web);

const EMPTY_2X2 = { rows: 2, cols: 2, drawing: { case: "edges", value: "0".repeat(12) } };
const chains = (...lengths) => ({ endgame: { chains: lengths } });

const checks = {
  async "unary call"() {
    assert.equal((await solver.endgameValue(chains(9, 5, 2))).value, 8);
    const solved = await solver.exactSolve({ position: EMPTY_2X2, allMoves: true });
    assert.deepEqual(solved.outcome, { case: "value", value: 2 });
    assert.deepEqual(solved.bestMoves, [0, 1, 4, 5, 6, 8, 9, 11]);
    assert.equal(solved.moveValues.length, 12);
  },

  // Evaluate streams both ways, which gRPC-Web has not; this is instead of it.
  async "batch"() {
    const { responses } = await solver.evaluateBatch({
      requests: [
        { id: "a", query: { case: "endgameValue", value: chains(9, 5, 2) } },
        { id: "bad", query: { case: "endgameValue", value: { endgame: { loops: [5] } } } },
        { id: "c", query: { case: "exactSolve", value: { position: EMPTY_2X2 } } },
      ],
    });
    assert.deepEqual(responses.map((r) => r.id), ["a", "bad", "c"]);
    assert.deepEqual(responses.map((r) => r.answer.case), ["endgameValue", "error", "exactSolve"]);
    assert.equal(responses[0].answer.value.value, 8);
    assert.deepEqual(responses[1].answer.value.violations.map((v) => v.field), ["endgame.loops[0]"]);
  },

  async "stream of answers"() {
    const stop = new AbortController();
    const seen = [];
    try {
      for await (const { status } of health.watch({ service: SOLVER }, { signal: stop.signal })) {
        seen.push(status);
        stop.abort();
      }
    } catch (error) {
      assert.equal(ConnectError.from(error).code, Code.Canceled);
    }
    assert.deepEqual(seen, [SERVING]);
  },

  async "refusal with its details"() {
    const error = await refused(solver.endgameValue({ endgame: { chains: [3], loops: [5] } }));
    assert.equal(error.code, Code.InvalidArgument);
    const [details] = error.findDetails(BadRequest);
    assert.deepEqual(details.fieldViolations.map((v) => v.field), ["endgame.loops[0]"]);
    assert.match(details.fieldViolations[0].description, /even/);
    assert.ok(error.rawMessage.includes(details.fieldViolations[0].description), error.rawMessage);
  },

  async "deadline"() {
    const long = { rows: 6, cols: 6, drawing: { case: "edges", value: "0".repeat(84) } };
    const error = await refused(solver.exactSolve({ position: long }, { timeoutMs: 300 }));
    assert.equal(error.code, Code.DeadlineExceeded);
  },

  async "preflight"() {
    const allowed = async (asking) => {
      const answer = await fetch(`${address}/${SOLVER}/EndgameValue`, {
        method: "OPTIONS",
        headers: {
          origin: asking,
          "access-control-request-method": "POST",
          "access-control-request-headers": "content-type,x-grpc-web",
        },
      });
      const list = (name) => (answer.headers.get(name) ?? "").toLowerCase().split(/\s*,\s*/);
      if (![asking, "*"].includes(answer.headers.get("access-control-allow-origin"))) return false;
      assert.ok(list("access-control-allow-methods").includes("post"));
      for (const header of ["content-type", "x-grpc-web"]) {
        assert.ok(list("access-control-allow-headers").includes(header), header);
      }
      return true;
    };
    assert.equal(await allowed(stranger), origin === "*");
    if (page) assert.ok(await allowed(page));
  },

  // What a page may read of an answer: without these it cannot tell a refusal from an answer.
  async "headers a page may read"() {
    if (!page) return;
    const answer = await fetch(`${address}/${SOLVER}/EndgameValue`, {
      method: "POST",
      headers: { origin: page, "content-type": "application/grpc-web+proto", "x-grpc-web": "1" },
      body: new Uint8Array(5), // A frame around the empty message, which is refused.
    });
    assert.equal(answer.status, 200);
    assert.ok([page, "*"].includes(answer.headers.get("access-control-allow-origin")));
    const exposed = answer.headers.get("access-control-expose-headers").toLowerCase();
    for (const header of ["grpc-status", "grpc-message", "grpc-status-details-bin"]) {
      assert.ok(exposed.includes(header), header);
    }
  },

  async "plain HTTP"() {
    for (const page of ["/healthz", "/readyz"]) {
      assert.equal((await fetch(address + page)).status, 200, page);
    }
    assert.equal((await fetch(`${address}/no/such/page`, { method: "GET" })).ok, false);
  },
};

// The error of a call that must have one.
async function refused(call) {
  try {
    await call;
  } catch (error) {
    return ConnectError.from(error);
  }
  assert.fail("the call was answered");
}

for (const [name, check] of Object.entries(checks)) {
  await check();
  console.log(`node: ${name} ok`);
}
// Kept-alive connections would keep the process alive as well.
process.exit(0);
