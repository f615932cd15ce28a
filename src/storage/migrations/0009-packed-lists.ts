export const name = '0009-packed-lists'

/**
 * Permits packed lists from now on. No table changes, and stored lists stay as they are until they are replaced. The
 * migration exists so that older versions, which cannot read packed lists, refuse to start.
 */
export async function up(): Promise<void> {}
