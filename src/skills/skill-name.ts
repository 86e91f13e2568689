const MAX_LENGTH = 64;

/** Whether this is a name by the Agent Skills rule: 1 to 64 of `a-z`, `0-9` and `-`, with no hyphen at an edge or beside another. */
export function isSkillName(name: string): boolean {
  return name.length <= MAX_LENGTH && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name);
}
