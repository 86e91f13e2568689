import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, type JsonObject } from '../core/json.ts';
import { anthropicWire } from './anthropic.ts';
import { ScriptPlayer } from './player.ts';
import { responsesWire } from './responses.ts';
import type { Step } from './script.ts';
import type { Wire, WireAnswer, WireRequest } from './wire.ts';

export interface ScriptedModelOptions {
  steps: readonly Step[];
  /** Where relative paths of the script begin. */
  cwd: string;
  /** More requests than this get an error: an agent that loops must end. Default 1000. */
  maxRequests?: number;
  /** The endpoint closes by itself after so many milliseconds. Default one hour. */
  lifetimeMs?: number;
}

/** One request, as it came in. */
export interface ModelRequest {
  kind: 'turn' | 'aside' | 'count' | 'unknown';
  method: string;
  path: string;
  body: JsonObject;
  tools: string[];
  /** The step (from 0) that answered it; null for requests apart from the script, and after its end. */
  step: number | null;
}

export interface ScriptedModel {
  /** `http://127.0.0.1:PORT`: what `ANTHROPIC_BASE_URL` is set to; for the Responses API add `/v1`. */
  url: string;
  /** Grows while the endpoint is used. */
  requests: readonly ModelRequest[];
  /** How many steps no request has asked for yet. */
  stepsLeft(): number;
  /** Ends every connection; the port is free when it settles. May be called more than once. */
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 64 * 1024 ** 2;
const NO_USAGE = { input: 0, output: 0, cached: 0 };

/** Plays a script as a model service: on loopback only, on a port that the system picks. */
export async function startScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const play = new Performance(options);
  const server = createServer((request, response) => void play.answer(request, response));
  const url = await listen(server);
  const end = new Promise<void>((resolve) => server.once('close', resolve));
  const close = (): Promise<void> => {
    clearTimeout(curfew);
    play.stop();
    server.close();
    server.closeAllConnections();
    return end;
  };
  const curfew = setTimeout(() => void close(), options.lifetimeMs ?? 3_600_000);
  curfew.unref();
  return { url, requests: play.requests, stepsLeft: () => play.stepsLeft(), close };
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      // A string would be a Unix socket, which this is not.
      if (typeof address === 'object' && address) resolve(`http://127.0.0.1:${address.port}`);
    });
  });
}

/** Answers requests until it is stopped. */
class Performance {
  readonly requests: ModelRequest[] = [];
  private readonly player: ScriptPlayer;
  private readonly cwd: string;
  private readonly maxRequests: number;
  private readonly stopped = new AbortController();
  /** Ids differ between two endpoints too: a resumed session sees the answers of both. */
  private readonly prefix = randomBytes(5).toString('hex');

  constructor({ steps, cwd, maxRequests }: ScriptedModelOptions) {
    this.player = new ScriptPlayer(steps);
    this.cwd = cwd;
    this.maxRequests = maxRequests ?? 1000;
  }

  stop(): void {
    this.stopped.abort();
  }

  stepsLeft(): number {
    return this.player.left;
  }

  async answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = await readBody(incoming);
      const request = { method: incoming.method ?? '', path: incoming.url ?? '', body: parseBody(body) };
      await this.reply(request, body === null, response);
    } catch {
      // The client left, or the endpoint is being closed: there is nobody to tell.
      response.destroy();
    }
  }

  private async reply(request: WireRequest, tooLarge: boolean, response: ServerResponse): Promise<void> {
    const wire = wireOf(request);
    const kind = wire.classify(request);
    if (tooLarge) return send(response, wire.error(413, 'request_too_large', 'the request is too large'));
    if (this.requests.length >= this.maxRequests) {
      const limit = `the scripted model answers ${this.maxRequests} requests at most`;
      return send(response, wire.error(400, 'invalid_request_error', limit));
    }
    const cue = kind === 'turn' ? this.player.next() : null;
    this.requests.push({
      kind,
      ...request,
      tools: wire.toolNames(request.body),
      step: cue?.index ?? null,
    });
    const id = `${this.prefix}_${this.requests.length}`;
    if (cue) return this.perform(wire, cue.step, request, id, response);
    if (kind === 'count') return send(response, wire.count(request));
    if (kind === 'unknown') return send(response, wire.error(404, 'not_found_error', 'no such endpoint'));
    const actions = [{ kind: 'say', text: 'scripted' } as const];
    return send(response, wire.turn({ actions, usage: NO_USAGE, id, cwd: this.cwd, request }));
  }

  private async perform(
    wire: Wire,
    step: Step,
    request: WireRequest,
    id: string,
    response: ServerResponse,
  ): Promise<void> {
    if (step.delayMs > 0) await sleep(step.delayMs, undefined, { signal: this.stopped.signal });
    switch (step.kind) {
      case 'turn':
        return send(response, wire.turn({ ...step, id, cwd: this.cwd, request }));
      case 'error':
        return send(response, wire.error(step.status, step.type, step.message));
      case 'hang-up': {
        const { status, contentType, text } = wire.beginning({
          text: step.text,
          usage: NO_USAGE,
          id,
          request,
        });
        response.writeHead(status, { 'content-type': contentType });
        response.write(text, () => response.destroy());
      }
    }
  }
}

/** One endpoint speaks both languages: the path tells which. */
function wireOf({ path }: WireRequest): Wire {
  return path.startsWith('/v1/responses') ? responsesWire : anthropicWire;
}

function send(response: ServerResponse, { status, contentType, text }: WireAnswer): void {
  response.writeHead(status, { 'content-type': contentType });
  response.end(text);
}

/** The whole body; null when it is larger than the limit. */
async function readBody(incoming: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return bytes <= MAX_BODY_BYTES ? Buffer.concat(chunks) : null;
}

function parseBody(body: Buffer | null): JsonObject {
  try {
    const value: unknown = JSON.parse(body?.toString('utf8') ?? '');
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
