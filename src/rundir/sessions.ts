import { join } from 'node:path';
import { messageOf } from '../core/errors.ts';
import { stringOf, type JsonObject } from '../core/json.ts';
import type { ProfileName } from './result.ts';
import { makePrivateFolder, readRecord, shortHash, writeRecord } from './state-folder.ts';

/** A conversation that an implementer keeps, as the run that last had it left it. */
export interface SessionRecord {
  implementer: string;
  sessionId: string;
  /** Where it was started: the real path of the directory. Some CLIs find a session only there. */
  cwd: string;
  /** The run that last had it. */
  runId: string;
  profile: ProfileName;
  /** ISO 8601. */
  at: string;
}

/**
 * Remembers a session, by its id and as the last one of its implementer in its directory.
 * Never throws: returns null, or why it could not be remembered.
 */
export function recordSession({
  stateHome,
  ...session
}: Omit<SessionRecord, 'at'> & { stateHome: string }): string | null {
  const record: SessionRecord = { ...session, at: new Date().toISOString() };
  try {
    makePrivateFolder(folderOf(stateHome, record.implementer));
    writeRecord(pathById(stateHome, record.implementer, record.sessionId), record);
    writeRecord(pathByCwd(stateHome, record.implementer, record.cwd), record);
    return null;
  } catch (error) {
    return `the session is not recorded, so --resume-last will not find it: the state folder ${stateHome} cannot be written: ${messageOf(error)}`;
  }
}

/** The last recorded session of an implementer in a directory (its real path); null where there is none. */
export function lastSession(where: {
  stateHome: string;
  implementer: string;
  cwd: string;
}): SessionRecord | null {
  const record = readSession(pathByCwd(where.stateHome, where.implementer, where.cwd));
  return record?.cwd === where.cwd ? record : null;
}

/** The session with this id; null where baton has no record of it, as for one that was started by hand. */
export function findSession(which: {
  stateHome: string;
  implementer: string;
  sessionId: string;
}): SessionRecord | null {
  const record = readSession(pathById(which.stateHome, which.implementer, which.sessionId));
  return record?.sessionId === which.sessionId ? record : null;
}

function folderOf(stateHome: string, implementer: string): string {
  return join(stateHome, 'sessions', implementer);
}

function pathById(stateHome: string, implementer: string, sessionId: string): string {
  return join(folderOf(stateHome, implementer), `id-${shortHash(sessionId)}.json`);
}

function pathByCwd(stateHome: string, implementer: string, cwd: string): string {
  return join(folderOf(stateHome, implementer), `last-${shortHash(cwd)}.json`);
}

function readSession(path: string): SessionRecord | null {
  const record: JsonObject = readRecord(path) ?? {};
  const [implementer, sessionId, cwd, runId, at] = ['implementer', 'sessionId', 'cwd', 'runId', 'at'].map(
    (name) => stringOf(record[name]),
  );
  const profile = profileOf(record['profile']);
  if (!implementer || !sessionId || !cwd || !runId || !at || !profile) return null;
  return { implementer, sessionId, cwd, runId, profile, at };
}

function profileOf(value: unknown): ProfileName | null {
  return value === 'write' || value === 'read-only' || value === 'bypass' ? value : null;
}
