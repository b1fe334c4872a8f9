import { inject } from 'vitest'
import { longTests } from './long-tests.ts'
import { oldestProject } from './oldest-versions.ts'

/** False where a suite with the oldest peer dependencies runs a part of its cases, because all take half a minute or more. */
export const runsAllCases = longTests || inject('projectName') !== oldestProject

/** Returns the first case of each group where a suite runs a part of its cases. */
export function selectCases<Case extends { readonly group: string }>(cases: readonly Case[]): readonly Case[] {
  if (runsAllCases) return cases
  return cases.filter(({ group }, index) => cases.findIndex((other) => other.group === group) === index)
}
