import type { Difference } from './differences.ts'

/**
 * The differences as a page of Markdown: what breaks clients first, then everything else, by operation.
 *
 * @param since version of the release that is compared with.
 *
 * @example
 * ```ts
 * import { changeReport } from '@halyard/openapi'
 *
 * const change = { operation: 'getTeam', change: 'removed', at: undefined, what: 'GET /api/v2/teams/{teamKey}' } as const
 * const report = changeReport([{ ...change, breaking: true }], '0.1.0')
 * console.log(report.includes('getTeam')) // true
 * ```
 */
export function changeReport(found: readonly Difference[], since: string): string {
  const breaking = found.filter((one) => one.breaking)
  const others = found.filter((one) => !one.breaking)
  return `${[
    `# What changed in the API since ${since}`,
    'Written by `npm run generate`: the document of now compared with the one of the last release.',
    ...section('Breaking', breaking, 'Nothing: clients of the last release go on working.'),
    ...section('Other changes', others, 'None.'),
  ].join('\n\n')}\n`
}

function section(title: string, found: readonly Difference[], nothing: string): string[] {
  return [`## ${title}`, found.length === 0 ? nothing : found.map(line).join('\n')]
}

function line({ operation, change, at, what }: Difference): string {
  if (at === undefined) return `- \`${operation}\` ${change === 'changed' ? what : `${change}: ${what}`}`
  return `- \`${operation}\` \`${at}\` ${change === 'changed' ? what : `${change}: ${what}`}`
}
