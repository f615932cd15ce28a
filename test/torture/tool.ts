import { installWithApt, programPath } from '../../bench/programs.ts'

/** Where a tool that only harnesses need is. Where it is missing and we may, Debian's is installed. */
export function tool(name: string, debianPackage = name): string {
  const known = programPath(name)
  if (known !== undefined) return known
  const advice = `${name} is missing: install it, on Debian with apt-get install ${debianPackage}`
  installWithApt(`apt-get -qq install --no-install-recommends -y ${debianPackage}`, advice)
  const path = programPath(name)
  if (path === undefined) throw new Error(advice)
  return path
}
