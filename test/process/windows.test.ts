import { describe, expect, test } from 'vitest';
import { taskkill } from '../../src/process/windows-kill.ts';
import { resolveShim, type ShimDisk } from '../../src/process/windows-shim.ts';

const FOLDER = 'C:\\Users\\A B\\npm';
const NPM_SHIM = `@ECHO off\r
GOTO start\r
:find_dp0\r
SET dp0=%~dp0\r
EXIT /b\r
:start\r
SETLOCAL\r
CALL :find_dp0\r
\r
IF EXIST "%dp0%\\node.exe" (\r
  SET "_prog=%dp0%\\node.exe"\r
) ELSE (\r
  SET "_prog=node"\r
  SET PATHEXT=%PATHEXT:;.JS;=;%\r
)\r
\r
endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\node_modules\\@x\\cli\\cli.js" %*\r
`;
const EXE_SHIM = `@ECHO off\r\n"%dp0%\\node_modules\\@x\\cli\\bin\\claude.exe"   %*\r\n`;
const PNPM_SHIM = `@SETLOCAL\n@IF EXIST "%~dp0\\node.exe" (\n  "%~dp0\\node.exe"  "%~dp0\\..\\x\\cli.mjs" %*\n) ELSE (\n  node  "%~dp0\\..\\x\\cli.mjs" %*\n)\n`;
const script = `${FOLDER}\\node_modules\\@x\\cli\\cli.js`;

function disk(shim: string, files: string[], node: string | null = 'C:\\node\\node.exe'): ShimDisk {
  return { readText: () => shim, isFile: (path) => files.includes(path), node };
}

describe('a shim', () => {
  const args = ['-p', 'two words', '--x="y"'];
  const shim = `${FOLDER}\\claude.cmd`;

  test('of npm is started as its script, with the arguments untouched and no shell', () => {
    expect(resolveShim(shim, args, disk(NPM_SHIM, [script]))).toEqual({
      file: 'C:\\node\\node.exe',
      args: [script, ...args],
    });
  });

  test('with a node beside it uses that one', () => {
    const node = `${FOLDER}\\node.exe`;
    expect(resolveShim(shim, args, disk(NPM_SHIM, [script, node])).file).toBe(node);
  });

  test('of an .exe is started as that .exe', () => {
    const exe = `${FOLDER}\\node_modules\\@x\\cli\\bin\\claude.exe`;
    expect(resolveShim(shim, args, disk(EXE_SHIM, [exe]))).toEqual({ file: exe, args });
  });

  test('of pnpm, with a path upwards', () => {
    const target = 'C:\\Users\\A B\\x\\cli.mjs';
    expect(resolveShim(shim, args, disk(PNPM_SHIM, [target])).args[0]).toBe(target);
  });

  test('that is none is refused with an explanation, not taken for a missing CLI', () => {
    expect(() => resolveShim(shim, args, disk('@echo hello %*', []))).toThrow(
      /claude\.cmd cannot be started .* no npm shim/,
    );
    expect(() => resolveShim(shim, args, disk(NPM_SHIM, []))).toThrow(/cli\.js, which is not there/);
    expect(() => resolveShim(shim, args, disk(NPM_SHIM, [script], null))).toThrow(/no node on PATH/);
    const other = '"%dp0%\\tool.py" %*';
    expect(() => resolveShim(shim, args, disk(other, [`${FOLDER}\\tool.py`]))).toThrow(
      /neither a script nor an \.exe/,
    );
  });
});

test('anything but a batch file is started as it is', () => {
  const exe = 'C:\\x\\claude.exe';
  expect(resolveShim(exe, ['-p'], disk('', []))).toEqual({ file: exe, args: ['-p'] });
});

test('every request to end a process ends its tree by force', () => {
  expect(taskkill(42)).toEqual({ file: 'taskkill', args: ['/PID', '42', '/T', '/F'] });
});
