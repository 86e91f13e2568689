/** Where the command of a CLI has another name than its key. */
const BINARIES: { readonly [key: string]: string } = {
  commandcode: 'cmd',
  cursor: 'cursor-agent',
  qoder: 'qodercli',
  warp: 'oz',
};

/** What is looked for on PATH for a key of the fleet format. */
export function binaryOf(key: string, platform: NodeJS.Platform): string {
  // There, `cmd` is the shell of the system.
  if (key === 'commandcode' && platform === 'win32') return 'cmdc';
  return Object.hasOwn(BINARIES, key) ? (BINARIES[key] ?? key) : key;
}
