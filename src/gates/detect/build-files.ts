import { kindOf, type Proposal, type ReadText } from './proposal.ts';

/** Targets of a Makefile that have the name of a kind of gate. */
export function fromMakefile(read: ReadText): Proposal[] {
  const file = ['GNUmakefile', 'makefile', 'Makefile'].find((name) => read(name) !== null);
  if (file === undefined) return [];
  return makeTargets(read(file) ?? '').flatMap((target) => {
    const name = kindOf(target);
    return name === null ? [] : [{ name, command: `make ${target}`, from: `${file} target ${target}` }];
  });
}

/** The names of the rules of a Makefile, once each. */
export function makeTargets(text: string): string[] {
  const rules = text.matchAll(/^([A-Za-z0-9_.-][A-Za-z0-9_. -]{0,200}?) {0,20}::?(?![=:])/gm);
  return [...new Set([...rules].flatMap(([, names]) => (names ?? '').split(/ +/)))];
}

/** Tools of Python that have a section of their own, and a test folder. */
export function fromPyproject(read: ReadText): Proposal[] {
  const text = read('pyproject.toml');
  if (text === null) return [];
  const tools: [section: RegExp, proposal: Omit<Proposal, 'from'>][] = [
    [/^\[tool\.ruff(?:\.|\])/m, { name: 'lint', command: 'ruff check .' }],
    [/^\[tool\.mypy\]/m, { name: 'typecheck', command: 'mypy .' }],
    [/^\[tool\.pyright\]/m, { name: 'typecheck', command: 'pyright' }],
    [/^\[tool\.pytest(?:\.|\])|^\s*["']?pytest\b/m, { name: 'test', command: 'python -m pytest' }],
  ];
  return tools.flatMap(([section, proposal]) => {
    const found = section.exec(text)?.[0].trim();
    return found === undefined
      ? []
      : [{ ...proposal, from: `pyproject.toml ${found.replace(/[.\]]$/, '')}` }];
  });
}

export function fromCargo(read: ReadText): Proposal[] {
  if (read('Cargo.toml') === null) return [];
  return [{ name: 'test', command: 'cargo test', from: 'Cargo.toml' }];
}

export function fromGoModule(read: ReadText): Proposal[] {
  if (read('go.mod') === null) return [];
  return [
    { name: 'lint', command: 'go vet ./...', from: 'go.mod' },
    { name: 'test', command: 'go test ./...', from: 'go.mod' },
  ];
}
