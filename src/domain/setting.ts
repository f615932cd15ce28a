/** A setting that administrators change while the service runs. All others are environment variables. */
interface Setting {
  about: string
  default: number
  min: number
  max: number
}

export const settings = {
  request_log_days: { about: 'How many days the request log goes back.', default: 7, min: 1, max: 365 },
  request_log_rows: {
    about: 'How many requests the log holds at most.',
    default: 200_000,
    min: 1000,
    max: 10_000_000,
  },
  request_log_successes: {
    about: 'How many requests that went well each node writes down per second. Refused ones are written down first.',
    default: 100,
    min: 0,
    max: 1000,
  },
  token_warning_days: {
    about: 'How many days before its end a token needs attention.',
    default: 14,
    min: 1,
    max: 365,
  },
  token_unused_days: {
    about: 'After how many days without use a token needs attention.',
    default: 90,
    min: 1,
    max: 3650,
  },
  many_refused: {
    about: 'How many of its requests of an hour must be refused for a partner to need attention.',
    default: 50,
    min: 1,
    max: 1_000_000,
  },
  ending_soon_hours: { about: 'How far ahead services count as ending soon.', default: 24, min: 1, max: 168 },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof settings
export type Settings = Record<SettingName, number>

export const settingNames = Object.keys(settings) as SettingName[]

export function settingFault(name: SettingName, value: unknown): string | undefined {
  const { min, max } = settings[name]
  const usable = Number.isInteger(value) && (value as number) >= min && (value as number) <= max
  return usable ? undefined : `must be a whole number from ${min} to ${max}`
}
