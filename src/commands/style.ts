import picocolors from 'picocolors';

export type Style = ReturnType<typeof picocolors.createColors>;

export function styleFor(colour: boolean): Style {
  return picocolors.createColors(colour);
}
