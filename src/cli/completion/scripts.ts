interface Word {
  word: string
  description: string
}

export interface CommandWords {
  /** The names of all commands above this one and its own, such as `/token/create`; empty for `atrium` itself. */
  path: string
  commands: Word[]
  options: Word[]
}

/** Completion scripts by shell: offer subcommands or, after a dash, options, and file names if nothing else fits. */
export const scripts: Record<string, (tree: CommandWords[]) => string> = { bash, zsh, fish }

const words = (list: { word: string }[]) => list.map(({ word }) => word).join(' ')
const pathsOf = (tree: CommandWords[]) => tree.map(({ path }) => path).filter((path) => path !== '')

function bash(tree: CommandWords[]): string {
  const cases = tree.map(
    ({ path, commands, options }) => `    '${path}') commands='${words(commands)}' options='${words(options)}' ;;`,
  )
  return `# Completion of atrium for bash: source <(atrium completion bash)
_atrium() {
  local current="\${COMP_WORDS[COMP_CWORD]}" typed= word commands= options=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$typed/$word" in
      ${pathsOf(tree).join('|')}) typed="$typed/$word" ;;
    esac
  done
  case "$typed" in
${cases.join('\n')}
  esac
  [[ $current == -* ]] && commands=$options
  COMPREPLY=($(compgen -W "$commands" -- "$current"))
}
complete -o bashdefault -o default -F _atrium atrium
`
}

function zsh(tree: CommandWords[]): string {
  const list = (items: CommandWords['commands']) =>
    items.map(({ word, description }) => quoted(`${word}:${description}`)).join(' ')
  const cases = tree.map(
    ({ path, commands, options }) => `    ('${path}') commands=(${list(commands)}) options=(${list(options)}) ;;`,
  )
  return `#compdef atrium
# Completion of atrium for zsh: source <(atrium completion zsh), or a file _atrium in a folder of $fpath
_atrium() {
  local typed word
  local -a commands options
  for word in \${words[2,CURRENT-1]}; do
    case "$typed/$word" in
      (${pathsOf(tree).join('|')}) typed="$typed/$word" ;;
    esac
  done
  case "$typed" in
${cases.join('\n')}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then _describe -o option options
  elif (( $#commands )); then _describe command commands
  else _files
  fi
}
if [[ $funcstack[1] == _atrium ]]; then _atrium "$@"; else compdef _atrium atrium; fi
`
}

function fish(tree: CommandWords[]): string {
  const lines = tree.flatMap(({ path, commands, options }) => {
    const at = `complete -c atrium -n '__atrium_typed "${path}"'`
    return [
      ...commands.map(({ word, description }) => `${at} -f -a ${word} -d ${quotedForFish(description)}`),
      ...options.map(({ word, description }) => `${at} -l ${word.slice(2)} -d ${quotedForFish(description)}`),
    ]
  })
  return `# Completion of atrium for fish: atrium completion fish | source
function __atrium_typed
    set -l typed ''
    for word in (commandline -opc)[2..]
        switch "$typed/$word"
            case ${pathsOf(tree).join(' ')}
                set typed "$typed/$word"
        end
    end
    test "$typed" = "$argv[1]"
end
${lines.join('\n')}
`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function quotedForFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
