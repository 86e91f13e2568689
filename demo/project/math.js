export function add(a, b) {
  return a + b;
}

export function subtract(a, b) {
  return a + b;
}

export function negate(a) {
  return -a;
}
