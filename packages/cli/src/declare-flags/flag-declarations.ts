import { compareCodePoints } from '@halyard/core/storage'
import { docComment } from './doc-comment.ts'
import { propertyName, quoted } from './quoted.ts'
import { valueType } from './value-type.ts'

/** The parts of a flag that its declaration uses. */
export interface DeclaredFlag {
  readonly key: string
  readonly name: string
  readonly description: string
  readonly variations: readonly { readonly value?: unknown }[]
  readonly deprecated: boolean
  readonly archived: boolean
}

/** Consumers whose types can include the flags: the engine, and OpenFeature clients. */
export const audiences = ['engine', 'openfeature'] as const

export type Audience = (typeof audiences)[number]

/**
 * Returns a TypeScript file that declares the flags of a project: `interface Flags`, and for each audience a
 * declaration that lets the compiler refuse a wrong key or a default of another type. The file does not depend on the
 * order of the flags.
 *
 * @param flags archived ones are omitted; deprecated ones are marked `@deprecated`.
 * @param projectKey key that the first line names.
 */
export function flagDeclarations(
  flags: readonly DeclaredFlag[],
  projectKey: string,
  audienceList: readonly Audience[],
): string {
  const activeFlags = flags.filter(({ archived }) => !archived).sort((a, b) => compareCodePoints(a.key, b.key))
  const parts = [
    `// Written by \`halyard types\` from the flags of the project ${projectKey}. Do not edit; run the command again.\n`,
    `/** The flags of the project by key, each with the type of its values. */\n${interfaceOf(activeFlags)}`,
  ]
  if (audienceList.includes('engine')) parts.push(forEngine)
  if (audienceList.includes('openfeature')) parts.push(forOpenFeature(activeFlags))
  return parts.join('\n')
}

function interfaceOf(flags: readonly DeclaredFlag[]): string {
  const properties = flags.map(({ key, name, description, variations, deprecated }) => {
    const comment = docComment([name === key ? '' : name, description], deprecated ? ['@deprecated'] : [])
    const values = variations.map(({ value }) => value)
    return `${comment}  ${propertyName(key)}: ${valueType(values, 2)}\n`
  })
  return properties.length === 0 ? 'export interface Flags {}\n' : `export interface Flags {\n${properties.join('')}}\n`
}

const forEngine = `declare module '@halyard/core' {
  interface FlagTypes extends Flags {}
}
`

/** Returns the declarations for OpenFeature: the keys of the flags of each type, without their values. */
function forOpenFeature(flags: readonly DeclaredFlag[]): string {
  const lines = (['Boolean', 'String', 'Number', 'Object'] as const).map((type) => {
    const keys = flags.filter(({ variations }) => typeOf(variations) === type).map(({ key }) => quoted(key))
    return `  export type ${type}FlagKey = ${keys.length === 0 ? 'never' : keys.join(' | ')}\n`
  })
  return `declare module '@openfeature/core' {\n${lines.join('')}}\n`
}

const names: Readonly<Record<string, 'Boolean' | 'String' | 'Number'>> = {
  boolean: 'Boolean',
  string: 'String',
  number: 'Number',
}

/**
 * Returns the type of the values of a flag; `Object` for values that are not primitive, and for values of several
 * types.
 */
function typeOf(variations: DeclaredFlag['variations']): string {
  const types = new Set(variations.map(({ value }) => names[typeof value] ?? 'Object'))
  return types.size === 1 ? ([...types][0] as string) : 'Object'
}
