import { Type } from '../schema.ts'

export const text = (description: string) => Type.String({ description })
export const count = (description: string) => Type.Integer({ minimum: 0, description })
export const flag = (description: string) => Type.Boolean({ description })
export const dateTime = (description: string) => Type.String({ format: 'date-time', description })
export const nullableCount = (description: string) => ({ type: ['integer', 'null'], minimum: 0, description })
export const nullableText = (description: string) => ({ type: ['string', 'null'], description })
export const nullableTime = (description: string) => ({ type: ['string', 'null'], format: 'date-time', description })
