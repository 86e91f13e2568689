/** How large a repository is for somebody who has to read it. */
export type SizeClass = 'small' | 'medium' | 'large' | 'very large';

interface Size {
  class: SizeClass;
  /** Source files at most. */
  upTo: number;
  /** How long one question about such a repository may take, where nobody says otherwise. */
  seconds: number;
}

const SIZES: readonly [Size, Size, Size, Size] = [
  { class: 'small', upTo: 200, seconds: 120 },
  { class: 'medium', upTo: 1_000, seconds: 300 },
  { class: 'large', upTo: 5_000, seconds: 600 },
  { class: 'very large', upTo: Number.POSITIVE_INFINITY, seconds: 900 },
];

/** Small has at most 200 source files, medium 1,000, large 5,000. */
export function sizeClassOf(sourceFiles: number): SizeClass {
  return (SIZES.find(({ upTo }) => sourceFiles <= upTo) ?? SIZES[3]).class;
}

/** Seconds for one question: the fallback behind `--timeout` and `BATON_TIMEOUT`. */
export function defaultTimeout(size: SizeClass): number {
  return (SIZES.find((one) => one.class === size) ?? SIZES[3]).seconds;
}
