/** Records as claude prints them, one JSON line each without its newline. */

export const init = (sessionId = 'S1'): string =>
  JSON.stringify({ type: 'system', subtype: 'init', session_id: sessionId });

/** An assistant's text; records of one message share the id. */
export const text = (content: string, id = 'm1'): string =>
  JSON.stringify({ type: 'assistant', message: { id, content: [{ type: 'text', text: content }] } });

/** The terminal record of a success. */
export const success = (result: string, sessionId = 'S1'): string =>
  JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result, session_id: sessionId });
