import { InvalidArgumentError } from '@commander-js/extra-typings';

/** A flag's value: one that begins with `-` is the next flag, and the value was forgotten. */
export function value(text: string): string {
  if (text.startsWith('-'))
    throw new InvalidArgumentError(`It needs a value, and ${JSON.stringify(text)} looks like the next flag.`);
  return text;
}

/** The value of a flag that may be given several times. */
export function values(text: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value(text)];
}
