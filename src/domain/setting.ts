/** What administrators can set while the service runs; everything else is in the environment. */
interface Setting {
  about: string
  standard: number
  least: number
  most: number
}

export const settings = {
  request_log_days: { about: 'How many days the request log goes back.', standard: 7, least: 1, most: 365 },
  request_log_rows: {
    about: 'How many requests the log holds at most.',
    standard: 200_000,
    least: 1000,
    most: 10_000_000,
  },
  request_log_successes: {
    about: 'How many requests that went well each node writes down per second. Refused ones are written down first.',
    standard: 100,
    least: 0,
    most: 1000,
  },
  token_warning_days: {
    about: 'How many days before its end a token needs attention.',
    standard: 14,
    least: 1,
    most: 365,
  },
  token_unused_days: {
    about: 'After how many days without use a token needs attention.',
    standard: 90,
    least: 1,
    most: 3650,
  },
  many_refused: {
    about: 'How many of its requests of an hour must be refused for a partner to need attention.',
    standard: 50,
    least: 1,
    most: 1_000_000,
  },
  ending_soon_hours: { about: 'How far ahead services count as ending soon.', standard: 24, least: 1, most: 168 },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof settings
export type Settings = Record<SettingName, number>

export const settingNames = Object.keys(settings) as SettingName[]

export function settingFault(name: SettingName, value: unknown): string | undefined {
  const { least, most } = settings[name]
  const usable = Number.isInteger(value) && (value as number) >= least && (value as number) <= most
  return usable ? undefined : `must be a whole number from ${least} to ${most}`
}
