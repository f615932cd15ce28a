export const name = '0009-packed-lists'

/**
 * From here on a long list may be packed. No table changes, and the lists that there are stay as they are until they are
 * replaced; but an older version does not start any more, since it could not read what is written from now on.
 */
export async function up(): Promise<void> {}
