import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the section of a version in the changelog; before its release, what is under Unreleased. */
export function releaseNotes(root: string, version: string): string {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  const sections = changelog.split(/^## /m).slice(1)
  const titled = (title: string) => sections.find((section) => section.startsWith(`[${title}]`))
  const unreleased = titled('Unreleased')
  const isReleased = unreleased === undefined || !/^- /m.test(unreleased)
  const section = isReleased ? titled(version) : unreleased
  if (section === undefined) throw new Error(`CHANGELOG.md has no section for ${version}`)
  return `# Atrium ${isReleased ? version : `after ${version}`}\n${section.slice(section.indexOf('\n'))}`
    .trimEnd()
    .concat('\n')
}
