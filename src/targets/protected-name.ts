/** Whatever has such a name, at any depth, is never written from an agent's text: it would run or widen something. */
const PROTECTED: readonly RegExp[] = [
  // git itself, and what steers it
  /^\.git(?:modules|attributes|config|ignore|hooks)?$/,
  /^\.husky$/,
  // settings, hooks and servers of agent products and editors
  /^(?:managed-)?settings(?:\..*)?\.json$/,
  /^hooks\.json$/,
  /^\.?(?:managed-)?mcp\.json$/,
  /^config\.toml$/,
  // names servers that codex is to install for a skill
  /^openai\.ya?ml$/,
  /^\.claude\.json$/,
  /^\.(?:vscode|idea|devcontainer)$/,
  // CI
  /^\.(?:github|gitlab|gitea|forgejo|circleci|buildkite|woodpecker|ci)$/,
  /^\.?(?:gitlab-ci|travis|drone|appveyor|woodpecker|cirrus|azure-pipelines|bitbucket-pipelines)\.ya?ml$/,
  /^jenkinsfile$/,
];

/** Folders of agent products: hooks, commands and agents in them run or widen something, also in a `CLAUDE.md` of theirs. */
const AGENT_FOLDER = /^\.(?:claude|codex|agents)$/;

/**
 * The first part of a path that must never be written, in any spelling of its letters; null where there is none.
 * A skill may be called `hooks` or `settings`: only the places where such things take effect are protected.
 */
export function protectedName(segments: readonly string[]): string | null {
  for (const [at, segment] of segments.entries()) {
    const name = segment.toLowerCase();
    if (PROTECTED.some((pattern) => pattern.test(name))) return segment;
    if (!AGENT_FOLDER.test(segments[at - 1]?.toLowerCase() ?? '')) continue;
    if (name === 'hooks' || (name !== 'skills' && at < segments.length - 1)) return segment;
  }
  return null;
}
