import { installWithApt, programPath } from '../../bench/programs.ts'

/** Finds a tool that only harnesses need; installs Debian's if it is missing and the user may. */
export function tool(name: string, debianPackage = name): string {
  const known = programPath(name)
  if (known !== undefined) return known
  const advice = `${name} is missing: install it, on Debian with apt-get install ${debianPackage}`
  installWithApt(`apt-get -qq install --no-install-recommends -y ${debianPackage}`, advice)
  const path = programPath(name)
  if (path === undefined) throw new Error(advice)
  return path
}
