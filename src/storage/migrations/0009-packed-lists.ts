export const name = '0009-packed-lists'

/**
 * Permits packed (compressed) autocomplete lists, without changing stored lists: those stay until they are replaced.
 * Older versions of Atrium, which cannot read packed lists, refuse to start on a database with this migration.
 */
export async function up(): Promise<void> {}
