/** Returns true when `scope` is `ancestor` or lies under it. Every scope lies under the empty one. */
export function isUnder(scope: string, ancestor: string): boolean {
  return ancestor === '' || scope === ancestor || scope.startsWith(`${ancestor}:`)
}
