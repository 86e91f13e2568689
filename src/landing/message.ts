import { UsageError } from '../core/errors.ts';

const TRAILER = /^[A-Za-z0-9-]+: \S/;

/** The message with the trailers as its last paragraph, or added to the one that is there. Throws for a blank message. */
export function withTrailers(message: string, trailers: readonly string[]): string {
  const text = message.trim();
  if (text === '') throw new UsageError('the commit message is empty: give it with -m <message>');
  if (trailers.length === 0) return `${text}\n`;
  const paragraphs = text.split(/\n[ \t]*\n/);
  const last = paragraphs.length > 1 ? (paragraphs.at(-1) ?? '') : '';
  const fits = last !== '' && last.split('\n').every((line) => TRAILER.test(line));
  const missing = trailers.filter((trailer) => !fits || !last.split('\n').includes(trailer));
  if (missing.length === 0) return `${text}\n`;
  return `${text}${fits ? '\n' : '\n\n'}${missing.join('\n')}\n`;
}
