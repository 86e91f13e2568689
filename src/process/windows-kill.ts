/** Windows has no signals and no groups: every request to end a process, however gentle, ends its whole tree at once. */
export function taskkill(pid: number): { file: string; args: string[] } {
  return { file: 'taskkill', args: ['/PID', String(pid), '/T', '/F'] };
}
