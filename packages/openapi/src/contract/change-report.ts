import type { Difference } from './differences.ts'

/**
 * Returns the differences as a page of Markdown: breaking changes first, then all others, by operation.
 *
 * @param since version of the release with which the API is compared.
 *
 * @example
 * ```ts
 * import { changeReport } from '@halyard/openapi'
 *
 * const change = {
 *   operation: 'getTeam',
 *   change: 'removed',
 *   path: undefined,
 *   description: 'GET /api/v2/teams/{teamKey}',
 * } as const
 * const report = changeReport([{ ...change, breaking: true }], '0.1.0')
 * console.log(report.includes('getTeam')) // true
 * ```
 */
export function changeReport(changes: readonly Difference[], since: string): string {
  const breaking = changes.filter((difference) => difference.breaking)
  const others = changes.filter((difference) => !difference.breaking)
  return `${[
    `# What changed in the API since ${since}`,
    'Written by `npm run generate`, which compares the current document with the document of the last release.',
    ...section('Breaking', breaking, 'None: clients of the last release continue to work.'),
    ...section('Other changes', others, 'None.'),
  ].join('\n\n')}\n`
}

function section(title: string, changes: readonly Difference[], emptyText: string): string[] {
  return [`## ${title}`, changes.length === 0 ? emptyText : changes.map(line).join('\n')]
}

function line({ operation, change, path, description }: Difference): string {
  if (path === undefined)
    return `- \`${operation}\` ${change === 'changed' ? description : `${change}: ${description}`}`
  return `- \`${operation}\` \`${path}\` ${change === 'changed' ? description : `${change}: ${description}`}`
}
