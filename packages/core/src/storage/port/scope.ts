/** Whether `scope` is `ancestor` or lies under it. The empty scope is above all. */
export function isUnder(scope: string, ancestor: string): boolean {
  return ancestor === '' || scope === ancestor || scope.startsWith(`${ancestor}:`)
}
