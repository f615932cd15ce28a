import { Type } from '../schema.ts'

export const nullable = (schema: ReturnType<typeof Type.String>) => ({ ...schema, type: ['string', 'null'] })
export const text = (description: string) => Type.String({ description })
export const moment = (description: string) => ({
  type: ['string', 'number', 'null'],
  description: `${description} ISO 8601, without an offset in the time zone of the facility, or Unix time in seconds or milliseconds.`,
})
export const dateTime = (description: string) => Type.String({ format: 'date-time', description })
