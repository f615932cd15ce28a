import type { Permissions } from '../../src/domain/permission.ts'

/** The facilities that grants of the partner name. */
export function facilitiesNamed({ named }: Permissions): string[] {
  return named.flatMap(({ names }) => names.trim().split(' '))
}
