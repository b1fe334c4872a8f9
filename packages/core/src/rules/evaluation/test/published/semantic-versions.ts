import { operatorCase, type PublishedCase } from './published-case.ts'
import { versionsInOrder } from './reference-operators.ts'

/*
 * Versions from npm/node-semver (test/fixtures: comparisons, equality, invalid-versions), without cases of its option
 * `loose`, and the lists of valid and invalid versions to which semver.org links.
 */

/** The higher version comes first. */
const ordered = [
  ['0.0.0', '0.0.0-foo'],
  ['0.0.1', '0.0.0'],
  ['1.0.0', '0.9.9'],
  ['0.10.0', '0.9.0'],
  ['0.99.0', '0.10.0'],
  ['2.0.0', '1.2.3'],
  ['1.2.3', '1.2.3-asdf'],
  ['1.2.3', '1.2.3-4'],
  ['1.2.3', '1.2.3-4-foo'],
  ['1.2.3-5-foo', '1.2.3-5'],
  ['1.2.3-5', '1.2.3-4'],
  ['1.2.3-5-foo', '1.2.3-5-Foo'],
  ['3.0.0', '2.7.2+asdf'],
  ['1.2.3-a.10', '1.2.3-a.5'],
  ['1.2.3-a.b', '1.2.3-a.5'],
  ['1.2.3-a.b', '1.2.3-a'],
  ['1.2.3-a.b.c.10.d.5', '1.2.3-a.b.c.5.d.100'],
  ['1.2.3-r2', '1.2.3-r100'],
  ['1.2.3-r100', '1.2.3-R2'],
] as const

const equal = [
  ['1.2.3-beta+build', '1.2.3-beta+otherbuild'],
  ['1.2.3+build', '1.2.3+otherbuild'],
] as const

const tooBig = '90071992547409910'
const noVersions = [`${'1'.repeat(255)}.0.0`, `${tooBig}.0.0`, `0.${tooBig}.0`, `0.0.${tooBig}`, 'hello, world']

const valid = `
  0.0.4 1.2.3 10.20.30 1.1.2-prerelease+meta 1.1.2+meta 1.1.2+meta-valid 1.0.0-alpha 1.0.0-beta 1.0.0-alpha.beta
  1.0.0-alpha.beta.1 1.0.0-alpha.1 1.0.0-alpha0.valid 1.0.0-alpha.0valid
  1.0.0-alpha-a.b-c-somethinglong+build.1-aef.1-its-okay 1.0.0-rc.1+build.1 2.0.0-rc.1+build.123 1.2.3-beta
  10.2.3-DEV-SNAPSHOT 1.2.3-SNAPSHOT-123 1.0.0 2.0.0 1.1.7 2.0.0+build.1848 2.0.1-alpha.1227 1.0.0-alpha+beta
  1.2.3----RC-SNAPSHOT.12.9.1--.12+788 1.2.3----R-S.12.9.1--.12+meta 1.2.3----RC-SNAPSHOT.12.9.1--.12
  1.0.0+0.build.1-rc.10000aaa-kk-0.1 1.0.0-0A.is.legal`

const invalid = `
  1.2.3-0123 1.2.3-0123.0123 1.1.2+.123 +invalid -invalid -invalid+invalid -invalid.01 alpha alpha.beta alpha.beta.1
  alpha.1 alpha+beta alpha_beta alpha. alpha.. beta 1.0.0-alpha_beta -alpha. 1.0.0-alpha.. 1.0.0-alpha..1
  1.0.0-alpha...1 1.0.0-alpha....1 1.0.0-alpha.....1 1.0.0-alpha......1 1.0.0-alpha.......1 01.1.1 1.01.1 1.1.01
  1.2.3.DEV 1.2.31.2.3----RC-SNAPSHOT.12.09.1--..12+788 -1.0.3-gamma+b7718 +justmeta 9.8.7+meta+meta
  9.8.7-whatever+meta+meta`

const words = (text: string) => text.trim().split(/\s+/)

/** Versions whose validity here differs from their source: the text, true if it is valid here, and the reason. */
export const otherVersions: readonly (readonly [text: string, isOne: boolean, why: string])[] = [
  ...['1', '1.2', '1.2-SNAPSHOT', '1.2-RC-SNAPSHOT'].map(
    (text) => [text, true, 'minor and patch may be left out, as in the reference SDKs'] as const,
  ),
  ['99999999999999999999999.999999999999999999.99999999999999999', false, 'numbers are safe integers'],
  ...['v1.2.3', '=1.2.3', ' 1.2.3'].map((text) => [text, false, 'there is no loose reading'] as const),
]

export const semanticVersions: readonly PublishedCase[] = [
  ...ordered.flatMap(([high, low]) => versionsInOrder([low, high])),
  ...equal.flatMap(([a, b]) =>
    (['semVerEqual', 'semVerLessThan', 'semVerGreaterThan'] as const).flatMap((op) => [
      operatorCase(op, a, b, op === 'semVerEqual'),
      operatorCase(op, b, a, op === 'semVerEqual'),
    ]),
  ),
  ...noVersions.map((text) => operatorCase('semVerEqual', text, text, false)),
  ...words(valid).map((text) => operatorCase('semVerEqual', text, text, true)),
  ...words(invalid).map((text) => operatorCase('semVerEqual', text, text, false)),
]
