const advice = 'see the checklist in docs/releasing.md'

/** Whether this is a version under development, such as 0.2.0-dev, which is not published. */
export function isDevelopment(version: string): boolean {
  return version.includes('-')
}

/**
 * Returns the section of a version in the changelog; of a version under development, what is under Unreleased. Throws
 * when another version has unreleased changes: two different programs would have one version.
 */
export function releaseNotes(changelog: string, version: string): string {
  const title = isDevelopment(version) ? 'Unreleased' : version
  const sections = changelog.split(/^## /m).slice(1)
  const titled = (name: string) => sections.find((section) => section.startsWith(`[${name}]`))
  if (title === version && /^- /m.test(titled('Unreleased') ?? '')) {
    throw new Error(`CHANGELOG.md has changes under Unreleased, which are not part of ${version}: ${advice}`)
  }
  const section = titled(title)
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "${title}": ${advice}`)
  return `# Atrium ${version}\n\n${section.slice(section.indexOf('\n')).trim()}\n`
}
