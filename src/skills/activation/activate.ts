import type { Env } from '../../core/environment.ts';
import { ACTIVATION_HOOKS, type ActivationHook, HOOK_MARKER } from '../activation-hooks.ts';
import { matchReadRules, type SkillMatch } from '../match.ts';
import { pathsIn } from '../prompt-paths.ts';
import { parseSkillRules } from '../read-rules.ts';
import type { SkillRules } from '../skill-rules.ts';
import { contextOf } from './context.ts';
import { editedPaths } from './edited-paths.ts';
import { type HookInput, parseHookInput } from './input.ts';
import { insideOf, projectOf, readRulesText, skillFile } from './project.ts';
import { openSession, type Session } from './session.ts';

export interface Activation {
  /** The hook's script, as it was started. */
  script: string;
  /** `baton-hook:<name>`: which hook it is. */
  marker: string;
  /** What the agent product wrote to stdin. */
  input: string;
  env: Env;
  /** Told why nothing is said, and what is wrong with the rules. */
  debug: (text: string) => void;
}

/** A person may paste a book: its beginning and its end say what is asked for. In UTF-16 units, each. */
const PROMPT_EDGE = 8192;

/**
 * What the hook prints: one JSON object that tells the model which skills to read, or null for nothing. Each skill is
 * told of once a session. May throw; a hook that fails must be silent.
 */
export function activate({ script, marker, input: text, env, debug }: Activation): string | null {
  const hook = ACTIVATION_HOOKS.find(({ name }) => marker === `${HOOK_MARKER}${name}`);
  const input = parseHookInput(text);
  if (!hook || !input) return nothing('no hook of this name, or no input');
  // With another event's name the product would drop the answer.
  if (input.event !== null && input.event !== hook.event)
    return nothing(`${input.event} is not ${hook.event}`);

  const project = projectOf(script);
  const session = openSession(env, input.sessionId);
  const inside = insideOf(project, input.cwd);
  const edited =
    hook.name === 'edit-tracker' ? editedPaths(input.toolInput).flatMap((path) => inside(path) ?? []) : [];
  session.remember({ files: edited });

  const rulesText = readRulesText(project);
  if (rulesText === null) return nothing('the rules are no file, or too large');
  const { rules, problems } = parseSkillRules(rulesText);
  for (const { skill, detail } of problems) debug(`${skill ?? 'skill-rules.json'}: ${detail}`);

  const matches = matchesOf(hook, { input, session, edited, rules, inside, debug });
  const suggestions = matches.flatMap(({ name, why }) => {
    const path = skillFile(project, name);
    if (path === null) debug(`${name}: it has rules, but no file`);
    return path === null ? [] : [{ name, path, why }];
  });
  if (suggestions.length === 0) return nothing('no skill fits that was not told of');
  const context = contextOf(hook.event, suggestions);
  session.remember({ suggested: context.told });
  return `${JSON.stringify({
    hookSpecificOutput: { hookEventName: hook.event, additionalContext: context.text },
  })}\n`;

  function nothing(why: string): null {
    debug(why);
    return null;
  }
}

interface MatchInput {
  input: HookInput;
  session: Session;
  edited: readonly string[];
  rules: SkillRules;
  inside: (path: string) => string | null;
  debug: (text: string) => void;
}

/** At a prompt all reasons count; after an edit only its files do, the rest was said at the prompt. */
function matchesOf(
  hook: ActivationHook,
  { input, session, edited, rules, inside, debug }: MatchInput,
): SkillMatch[] {
  const untold: SkillRules = {
    ...rules,
    skills: Object.fromEntries(Object.entries(rules.skills).filter(([name]) => !session.suggested.has(name))),
  };
  if (hook.name === 'edit-tracker') {
    const { matches } = matchReadRules(untold, '', edited);
    return matches.flatMap(({ why, ...match }) => {
      const files = why.filter(({ kind }) => kind === 'file');
      return files.length > 0 ? [{ ...match, why: files }] : [];
    });
  }
  const prompt = edgesOf(input.prompt);
  const named = pathsIn(prompt).flatMap((path) => inside(path) ?? []);
  const { matches, problems } = matchReadRules(untold, prompt, [...session.files, ...named]);
  for (const { skill, detail } of problems) debug(`${skill}: ${detail}`);
  return matches;
}

function edgesOf(prompt: string): string {
  if (prompt.length <= 2 * PROMPT_EDGE) return prompt;
  return `${prompt.slice(0, PROMPT_EDGE)}\n${prompt.slice(-PROMPT_EDGE)}`;
}
