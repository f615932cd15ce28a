import { Type } from './schema.ts'

export const text = (description: string) => Type.String({ description })
export const uuid = (description: string) => Type.String({ format: 'uuid', description })
export const count = (description: string) => Type.Integer({ minimum: 0, description })
export const flag = (description: string) => Type.Boolean({ description })
export const dateTime = (description: string) => Type.String({ format: 'date-time', description })
export const nullableText = (description: string) => ({ type: ['string', 'null'], description })
export const nullableTime = (description: string) => ({ type: ['string', 'null'], format: 'date-time', description })
export const nullableCount = (description: string) => ({ type: ['integer', 'null'], minimum: 0, description })

export const addressFields = {
  street: nullableText('Street and number.'),
  postal_code: nullableText('Postal code.'),
  city: nullableText('City.'),
  region: nullableText('Region.'),
  country: Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2.' }),
}

export const deviceFields = {
  model: nullableText('Model.'),
  serial: nullableText('Serial number.'),
  status: nullableText('State, for example `online`.'),
}
