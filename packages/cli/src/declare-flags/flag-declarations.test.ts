import { describe, expect, it } from 'vitest'
import { type DeclaredFlag, flagDeclarations } from './flag-declarations.ts'
import { compileFiles } from './test/compile-files.ts'

const flag = (key: string, values: readonly unknown[], overrides: Partial<DeclaredFlag> = {}): DeclaredFlag => ({
  key,
  name: key,
  description: '',
  variations: values.map((value) => ({ value })),
  deprecated: false,
  archived: false,
  ...overrides,
})

const flags = [
  flag('theme', ['light', 'dark', 'it\'s \\ "odd"\n'], {
    name: 'Theme',
    description: 'Of all pages.\r\nNot of mails.',
  }),
  flag('checkout', [true, false], { name: 'Checkout' }),
  flag('Old', [1, 2.5], { description: 'Ends */ no comment,\n@internal and {@link x} are @no tags', deprecated: true }),
  flag('gone', [true, false], { archived: true }),
  flag('config', [
    { retries: 3, hosts: ['a'], 'odd key': null },
    { retries: 5, hosts: [], limits: { burst: 2 } },
    [],
    {},
  ]),
  flag('nothing', [null, {}]),
]

const expectedFile = `// Written by \`halyard types\` from the flags of the project shop. Do not edit; run the command again.

/** The flags of the project by key, each with the type of its values. */
export interface Flags {
  /**
   * Ends *\\/ no comment,
   * \\@internal and {@link x} are \\@no tags
   *
   * @deprecated
   */
  Old: number
  /** Checkout */
  checkout: boolean
  config: ReadonlyArray<never> | {
    readonly hosts?: ReadonlyArray<string>
    readonly limits?: {
      readonly burst: number
    }
    readonly 'odd key'?: null
    readonly retries?: number
  }
  nothing: Readonly<Record<string, never>> | null
  /**
   * Theme
   *
   * Of all pages.
   * Not of mails.
   */
  theme: 'light' | 'dark' | 'it\\'s \\\\ "odd"\\n'
}
`

const forEngine = `
declare module '@halyard/core' {
  interface FlagTypes extends Flags {}
}
`

const forOpenFeature = `
declare module '@openfeature/core' {
  export type BooleanFlagKey = 'checkout'
  export type StringFlagKey = 'theme'
  export type NumberFlagKey = 'Old'
  export type ObjectFlagKey = 'config' | 'nothing'
}
`

describe('declarations', () => {
  it('contain each flag with the type of its values', () => {
    expect(flagDeclarations(flags, 'shop', [])).toBe(expectedFile)
  })

  it('extend the types of the engine and of OpenFeature when requested', () => {
    expect(flagDeclarations(flags, 'shop', ['engine'])).toBe(expectedFile + forEngine)
    expect(flagDeclarations(flags, 'shop', ['openfeature', 'engine'])).toBe(expectedFile + forEngine + forOpenFeature)
  })

  it('do not depend on the order of the flags', () => {
    expect(flagDeclarations(flags.toReversed(), 'shop', [])).toBe(expectedFile)
  })

  it('are valid TypeScript for a project without flags', () => {
    expect(flagDeclarations([], 'shop', ['openfeature'])).toContain('export interface Flags {}\n')
    expect(flagDeclarations([], 'shop', ['openfeature'])).toContain('export type StringFlagKey = never\n')
  })
})

/** Returns the numbers of the lines that end in `// wrong`. */
function markedLines(text: string): string[] {
  return text.split('\n').flatMap((line, index) => (line.endsWith('// wrong') ? [`${index + 1}`] : []))
}

const linesOf = (errors: readonly string[]) => [...new Set(errors.map((error) => error.split(':')[0]))]

/** An engine without operations, because a compiler takes seconds to check all of them. */
const preamble = `import type { Engine, Evaluator } from '@halyard/core'
declare const engine: Engine<never>
const place = { projectKey: 'shop', environmentKey: 'production' }
const flags = engine.evaluator(place)
const ann = { kind: 'user', key: 'ann' }
`

/** Code that is valid whether or not flags are declared. */
const validUses = `
const on: boolean = flags.evaluate('checkout', ann, false).value
const old: number = engine.evaluate('Old', ann, 3, place).value
const known = flags.evaluate('checkout', ann, undefined)
flags.explain('theme', ann)
`

const invalidUses = `
const theme: 'light' | 'dark' | 'it\\'s \\\\ "odd"\\n' = flags.evaluate('theme', ann, 'dark').value
const maybe: boolean | undefined = flags.evaluate('checkout', ann, undefined).value
const none: boolean | null = engine.evaluate('checkout', ann, null, place).value
const config = flags.evaluate('config', ann, { retries: 1 }).value
if ('retries' in config) config.retries?.toFixed()
flags.evaluate('chekout', ann, false) // wrong
flags.evaluate('gone', ann, false) // wrong
flags.evaluate('checkout', ann, 'no') // wrong
flags.evaluate('theme', ann, 'blue') // wrong
flags.evaluate('Old', ann, '3') // wrong
flags.evaluate('config', ann, { retries: 'three' }) // wrong
flags.evaluate('config', ann, { retrys: 3 }) // wrong
engine.evaluate('chekout', ann, false, place) // wrong
engine.evaluate('checkout', ann, 0, place) // wrong
const text: string = flags.evaluate('checkout', ann, false).value // wrong
const surely: boolean = flags.evaluate('checkout', ann, undefined).value // wrong
flags.explain('chekout', ann) // wrong
flags.migrationStage('chekout', ann, 'off') // wrong
`

describe('the compiler', () => {
  const declared = { 'flags.d.ts': flagDeclarations(flags, 'shop', ['engine']) }

  it('reports wrong keys and defaults of another type at their lines', () => {
    const text = `${preamble}${validUses}${invalidUses}`
    const errors = compileFiles({ ...declared, 'use.ts': text }).errorsOf('use.ts')
    expect(linesOf(errors)).toEqual(markedLines(text))
    expect(errors.find((error) => error.startsWith(`${markedLines(text)[0]}:`))).toContain(
      `Argument of type '"chekout"' is not assignable`,
    )
  })

  it('gives an evaluator the flags of its project, in addition to those that are declared globally', () => {
    const text = `${preamble}
import type { Flags } from './other.ts'
const other = engine.evaluator<Flags>({ projectKey: 'other', environmentKey: 'production' })
other.evaluate('beta', ann, 1)
other.evaluate('beta', ann, true) // wrong
other.evaluate('checkout', ann, true) // wrong
flags.evaluate('beta', ann, 1) // wrong
const given = (_: Evaluator<Flags>) => {}
given(other)
given(flags) // wrong
`
    const other = flagDeclarations([flag('beta', [1, 2])], 'other', [])
    expect(linesOf(compileFiles({ ...declared, 'other.ts': other, 'use.ts': text }).errorsOf('use.ts'))).toEqual(
      markedLines(text),
    )
  })

  it('accepts any key and any default when no flags are declared', () => {
    const text = `${preamble}${validUses}
flags.evaluate('chekout', ann, 'no').value.toUpperCase()
const given = <T>(key: string, fallback: T) => engine.evaluate(key, ann, fallback, place).value
given('a', 1).toFixed()
flags.evaluate<number>('a', ann, 1).value.toFixed()
flags.evaluate('checkout', ann, false).value.toFixed() // wrong
`
    expect(linesOf(compileFiles({ 'use.ts': text }).errorsOf('use.ts'))).toEqual(markedLines(text))
  })

  it('accepts only keys of flags with the requested type in OpenFeature clients', () => {
    const text = `import type { Client } from '@openfeature/server-sdk'
import type { Client as WebClient } from '@openfeature/web-sdk'
import { createHalyardProvider } from '@halyard/openfeature'
import type { Engine } from '@halyard/core'
declare const client: Client
declare const web: WebClient
declare const engine: Engine<never>
client.getBooleanValue('checkout', false)
client.getStringDetails('theme', 'dark')
client.getObjectValue('config', {})
web.getNumberValue('Old', 1)
createHalyardProvider(engine.evaluator({ projectKey: 'shop', environmentKey: 'production' }), { checkMs: 0 })
client.getBooleanValue('chekout', false) // wrong
client.getBooleanValue('theme', false) // wrong
client.getStringValue('theme', 1) // wrong
web.getStringValue('checkout', 'no') // wrong
`
    const both = flagDeclarations(flags, 'shop', ['engine', 'openfeature'])
    const { errorsOf: errors } = compileFiles({ 'flags.d.ts': both, 'use.ts': text })
    expect(linesOf(errors('use.ts'))).toEqual(markedLines(text))
  })
})
