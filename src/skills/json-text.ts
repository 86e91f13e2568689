import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { BatonError, messageOf } from '../core/errors.ts';

/** A value, or a property with its key and value, as it stands in a text: offsets are UTF-16 units. */
export type JsonNode = Node;

/** Why a text is not taken. `line` counts from 1; null where the parser names none. */
export interface JsonRefusal {
  code: 'empty' | 'comment' | 'trailing-comma' | 'not-json' | 'duplicate-key' | 'wrong-shape' | 'unknown-key';
  line: number | null;
  message: string;
}

/** Settings that are not edited (`settings`): `refusal` says what is wrong with them, and where. */
export class JsonRefused extends BatonError {
  readonly refusal: JsonRefusal;

  constructor(refusal: JsonRefusal) {
    const { line, message } = refusal;
    super('settings', line === null ? message : `line ${line}: ${message}`, {
      hint: 'mend the settings by hand, and try again',
    });
    this.refusal = refusal;
  }
}

const STRICT = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };
const LOOSE = { disallowComments: false, allowTrailingComma: true, allowEmptyContent: false };

/**
 * The tree of a JSON text, which may begin with a byte order mark. `JSON.parse` is the judge of what is JSON; the tree
 * only adds the offsets. Throws a JsonRefused.
 */
export function readJsonText(text: string): JsonNode {
  // A space in the place of the mark: the offsets stay those of the text.
  const body = text.replace(/^\ufeff/, ' ');
  try {
    JSON.parse(body);
  } catch (error) {
    throw new JsonRefused(whyNot(body, messageOf(error)));
  }
  const errors: ParseError[] = [];
  const tree = treeOf(body, errors, STRICT);
  if (tree && errors.length === 0) return tree;
  throw new JsonRefused({ code: 'not-json', line: null, message: 'it is nested too deeply to be edited' });
}

/** The line, from 1, that an offset lies on. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split(/\r\n|\n|\r/).length;
}

export function endOf(node: JsonNode): number {
  return node.offset + node.length;
}

export function childrenOf(node: JsonNode): readonly JsonNode[] {
  return node.children ?? [];
}

/** The value of a property. */
export function valueOf(property: JsonNode): JsonNode | undefined {
  return property.children?.[1];
}

/** The property of this name; undefined where there is none. A second one is refused: which one a program reads is chance. */
export function propertyOf(text: string, object: JsonNode, key: string): JsonNode | undefined {
  const [first, second] = childrenOf(object).filter((one) => one.children?.[0]?.value === key);
  if (!second) return first;
  throw new JsonRefused({
    code: 'duplicate-key',
    line: lineAt(text, second.offset),
    message: `the key ${JSON.stringify(key)} stands twice in one object`,
  });
}

/** The string under this key; null where there is none, or something else. */
export function stringUnder(text: string, object: JsonNode, key: string): string | null {
  const property = propertyOf(text, object, key);
  const value: unknown = property && valueOf(property)?.value;
  return typeof value === 'string' ? value : null;
}

export function requireType(text: string, node: JsonNode, type: 'object' | 'array', what: string): JsonNode {
  if (node.type === type) return node;
  throw new JsonRefused({
    code: 'wrong-shape',
    line: lineAt(text, node.offset),
    message: `${what} must be ${type === 'array' ? 'an array' : 'an object'}, and is ${node.type === 'null' ? 'null' : `of type ${node.type}`}`,
  });
}

function treeOf(body: string, errors: ParseError[], options: object): JsonNode | undefined {
  try {
    return parseTree(body, errors, options);
  } catch (error) {
    if (error instanceof RangeError) return undefined; // it recurses, and JSON.parse does not
    throw error;
  }
}

function whyNot(body: string, judged: string): JsonRefusal {
  if (body.trim() === '') return { code: 'empty', line: 1, message: 'it is empty, which is no JSON' };
  const strict: ParseError[] = [];
  const loose: ParseError[] = [];
  treeOf(body, strict, STRICT);
  treeOf(body, loose, LOOSE);
  const [first] = strict;
  if (!first) return { code: 'not-json', line: null, message: judged };
  const line = lineAt(body, first.offset);
  if (loose.length > 0)
    return { code: 'not-json', line, message: `it is no JSON (${printParseErrorCode(first.error)})` };
  return printParseErrorCode(first.error) === 'InvalidCommentToken'
    ? { code: 'comment', line, message: 'it has a comment, which JSON does not know' }
    : {
        code: 'trailing-comma',
        line,
        message: 'it has a comma with nothing after it, which JSON does not know',
      };
}
