/**
 * Returns a page of the repository for an archive that has only its own folder: a link to a guide becomes the guide's path,
 * which every installation serves, and other links out of the folder become their text.
 */
export function withoutOuterLinks(page: string): string {
  return page
    .replace(
      /\[([^\]]+)\]\(\.\.\/docs\/guides\/([\w-]+)\.md(#[\w-]+)?\)/g,
      '$1 (`/docs/guides/$2$3` of your installation)',
    )
    .replace(/\[([^\]]+)\]\(\.\.\/[^)]*\)/g, '$1')
}
