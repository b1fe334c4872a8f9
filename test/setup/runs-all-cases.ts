import { inject } from 'vitest'
import { longTests } from './long-tests.ts'
import { oldestProject } from './oldest-versions.ts'

/** False where suites with the oldest peer dependencies run a part of their cases, because all of them take minutes. */
export const runsAllCases = longTests || inject('projectName') !== oldestProject

/** Returns the first case of each group where a suite runs a part of its cases. */
export function selectCases<Case extends { readonly group: string }>(cases: readonly Case[]): readonly Case[] {
  return runsAllCases ? cases : firstOfEachGroup(cases)
}

/**
 * Returns the first case of each group, or all cases in a long run. For a database client that sends the same
 * statements as another client, with which all cases run.
 *
 * @param wholeGroups groups of which all cases are returned, because the client can influence them. Default: no groups.
 */
export function selectClientCases<Case extends { readonly group: string }>(
  cases: readonly Case[],
  wholeGroups: readonly string[] = [],
): readonly Case[] {
  if (longTests) return cases
  const first = firstOfEachGroup(cases)
  return runsAllCases ? cases.filter((each) => wholeGroups.includes(each.group) || first.includes(each)) : first
}

function firstOfEachGroup<Case extends { readonly group: string }>(cases: readonly Case[]): readonly Case[] {
  return cases.filter(({ group }, index) => cases.findIndex((other) => other.group === group) === index)
}
