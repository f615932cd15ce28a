import type { Command } from 'commander'

interface Word {
  word: string
  description: string
}

/** A command, with the words that can follow it on the command line. */
export interface CommandWords {
  /**
   * The names of all commands above this one, then its own, each after a slash, such as `/token/create`; empty for
   * `atrium` itself.
   */
  path: string
  commands: Word[]
  options: Word[]
}

/** Returns the command and all commands below it, as a flat list. */
export function treeOf(command: Command, path = ''): CommandWords[] {
  const help = command.createHelp()
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices)
  const words = {
    path,
    commands: [
      ...help.visibleCommands(command).map((one) => ({ word: one.name(), description: one.description() })),
      ...choices.map((word) => ({ word, description: '' })),
    ],
    options: help.visibleOptions(command).map(({ long, description }) => ({ word: long ?? '', description })),
  }
  return [words, ...command.commands.flatMap((one) => treeOf(one, `${path}/${one.name()}`))]
}
