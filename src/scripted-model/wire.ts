import type { JsonObject } from '../core/json.ts';
import type { Action, Usage } from './script.ts';

export interface WireRequest {
  method: string;
  /** With the query. */
  path: string;
  /** Parsed; an empty object where it was no JSON object. */
  body: JsonObject;
}

export interface WireAnswer {
  status: number;
  contentType: string;
  text: string;
}

interface Spoken {
  usage: Usage;
  /** Unlike that of any other answer. */
  id: string;
  request: WireRequest;
}

/** One vendor's API. The server and the script know nothing of it. */
export interface Wire {
  /** `turn` plays the script; an `aside` (a title, a topic) is answered apart from it. */
  classify(request: WireRequest): 'turn' | 'aside' | 'count' | 'unknown';
  toolNames(body: JsonObject): string[];
  /** Relative paths of actions are below `cwd`. */
  turn(answer: Spoken & { actions: readonly Action[]; cwd: string }): WireAnswer;
  /** An answer that breaks off within `text`. */
  beginning(answer: Spoken & { text: string }): WireAnswer;
  count(request: WireRequest): WireAnswer;
  error(status: number, type: string, message: string): WireAnswer;
}
