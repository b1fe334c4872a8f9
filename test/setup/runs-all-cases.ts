import { inject } from 'vitest'
import { longTests } from './long-tests.ts'
import { oldestProject } from './oldest-versions.ts'

/** False where suites with the oldest peer dependencies run a part of their cases, because all of them take minutes. */
export const runsAllCases = longTests || inject('projectName') !== oldestProject

/** Returns the first case of each group where a suite runs a part of its cases. */
export function selectCases<Case extends { readonly group: string }>(cases: readonly Case[]): readonly Case[] {
  if (runsAllCases) return cases
  return cases.filter(({ group }, index) => cases.findIndex((other) => other.group === group) === index)
}
