/** The shells that `baton completion` writes for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof SHELLS)[number];

/**
 * What a shell sources. At each Tab, `baton completion suggest` is handed the words before the cursor, and answers in
 * lines: first what kind of answer it is (`words`, `open` for words that are typed on after, `files`, `folders`), then
 * one `value<TAB>description` each.
 *
 * What was typed and what was answered is data in all of them: no `eval`, no `compgen -W` (which expands `$(…)` in a
 * value), and `baton` is the one on PATH, never the word that was typed (`./baton` of a stranger's folder).
 */
export function scriptFor(shell: Shell): string {
  return SCRIPTS[shell];
}

/** A shell's text as it stands here; `$\\{` is its `${`, which here would be a value. */
function script({ raw }: TemplateStringsArray): string {
  return raw.join('').replaceAll('$\\{', '${');
}

const BASH = script`# Completion of baton for bash: eval "$(baton completion bash)"
_baton() {
  COMPREPLY=()
  # Bash cuts words at = and : too; what no space parts is one word. What stands behind the cursor does not count.
  local rest="$\{COMP_LINE:0:COMP_POINT}" words=() space word at
  for ((at = 0; at <= COMP_CWORD; at++)); do
    space="$\{rest%%[![:space:]]*}"
    rest="$\{rest#"$space"}"
    word="$\{COMP_WORDS[at]}"
    if ((at == COMP_CWORD)); then word="$rest"; fi
    rest="$\{rest#"$word"}"
    if [[ -z $space && $at -gt 0 ]]; then words[$\{#words[@]}-1]+="$word"; else words+=("$word"); fi
  done

  local current="$\{words[$\{#words[@]}-1]}" prefix='' kind='' line
  # Only what follows the = is replaced, unless = parts no words here.
  if [[ $current == --*=* && $COMP_WORDBREAKS != *=* ]]; then prefix="$\{current%%=*}="; fi
  while IFS= read -r line; do
    if [[ -z $kind ]]; then kind="$line"; else COMPREPLY+=("$prefix$\{line%%$'\t'*}"); fi
  done < <(command baton completion suggest bash -- "$\{words[@]:1}" 2>/dev/null </dev/null)

  # Bash 3 has no compopt: it then offers files where there is nothing else.
  case $kind in
    files) compopt -o default ;;
    folders) compopt +o default -o dirnames ;;
    open) compopt +o default -o nosort -o nospace ;;
    *) compopt +o default -o nosort ;;
  esac 2>/dev/null
  return 0
}
complete -o default -F _baton baton baton-relay
`;

const ZSH = script`#compdef baton baton-relay
# Completion of baton for zsh: source <(baton completion zsh), after compinit
_baton() {
  local -a answer entries
  local kind line
  answer=("$\{(@f)$(command baton completion suggest zsh -- "$\{(@Q)words[2,CURRENT-1]}" "$\{(Q)PREFIX}" 2>/dev/null </dev/null)}")
  kind="$answer[1]"
  for line in "$\{(@)answer[2,-1]}"; do
    entries+=("$\{line%%$'\t'*}:$\{line#*$'\t'}")
  done
  if [[ $PREFIX == --*=* ]]; then compset -P '*='; fi
  case $kind in
    files) (( $#entries )) && _describe -V 'baton' entries || _files ;;
    folders) _files -/ ;;
    open) _describe -V 'baton' entries -S '' ;;
    words) _describe -V 'baton' entries ;;
  esac
}
if [[ $funcstack[1] == _baton ]]; then
  _baton "$@"
elif (( $+functions[compdef] )); then
  compdef _baton baton baton-relay
else
  print -u2 'baton: completion needs this before it: autoload -Uz compinit && compinit'
fi
`;

const FISH = script`# Completion of baton for fish: baton completion fish | source
function __baton_suggest
    set -l words (commandline -opc)
    set -e words[1]
    set -l current (commandline -ct)
    set -l answer (command baton completion suggest fish -- $words "$current" 2>/dev/null </dev/null)
    set -l kind $answer[1]
    set -e answer[1]
    set -l prefix (string match -r -- '^--[^=]+=' "$current")
    if test (count $answer) -eq 0
        set -l value (string replace -r -- '^--[^=]+=' '' "$current")
        switch "$kind"
            case files
                set answer (__fish_complete_path "$value")
            case folders
                set answer (__fish_complete_directories "$value" '')
        end
    end
    for line in $answer
        printf '%s%s\n' "$prefix" $line
    end
end
complete -c baton -e
complete -c baton-relay -e
complete -k -c baton -f -a '(__baton_suggest)'
complete -k -c baton-relay -f -a '(__baton_suggest)'
`;

const SCRIPTS: { readonly [shell in Shell]: string } = { bash: BASH, zsh: ZSH, fish: FISH };
