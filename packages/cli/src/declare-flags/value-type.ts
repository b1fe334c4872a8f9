import { compareCodePoints } from '@halyard/core/storage'
import { memberName, quoted } from './quoted.ts'

/** The shape of some values: which primitives occur, and the shapes of entries of lists and properties of objects. */
interface Shape {
  readonly primitives: ReadonlySet<'boolean' | 'number' | 'string' | 'null'>
  /** Shape of the entries of all lists; undefined when no value is a list. */
  readonly entries?: Shape
  /** Properties of all objects; undefined when no value is an object. */
  readonly members?: ReadonlyMap<string, Member>
}

interface Member {
  readonly shape: Shape
  /** True when an object does not have the property. */
  readonly optional: boolean
}

const nothing: Shape = { primitives: new Set() }

/**
 * Returns the TypeScript type of the values of a flag. Each text is a literal type, other primitives are their own
 * type, and all objects are one type, whose properties are optional when a value lacks them.
 *
 * @param values as JSON.
 * @param indent spaces before the line that the type begins in.
 */
export function valueType(values: readonly unknown[], indent: number): string {
  const texts = values.filter((value) => typeof value === 'string')
  if (texts.length === values.length && texts.length > 0) return [...new Set(texts)].map(quoted).join(' | ')
  return printed(values.map(shapeOf).reduce(together, nothing), indent)
}

function shapeOf(value: unknown): Shape {
  if (value === null) return { primitives: new Set(['null']) }
  if (Array.isArray(value)) return { ...nothing, entries: value.map(shapeOf).reduce(together, nothing) }
  if (typeof value === 'object') {
    const members = Object.entries(value as object).map(
      ([name, inner]) => [name, { shape: shapeOf(inner), optional: false }] as const,
    )
    return { ...nothing, members: new Map(members) }
  }
  return { primitives: new Set([typeof value as 'boolean' | 'number' | 'string']) }
}

function together(a: Shape, b: Shape): Shape {
  const entries = a.entries && b.entries ? together(a.entries, b.entries) : (a.entries ?? b.entries)
  const members = a.members && b.members ? allMembers(a.members, b.members) : (a.members ?? b.members)
  return {
    primitives: new Set([...a.primitives, ...b.primitives]),
    ...(entries ? { entries } : {}),
    ...(members ? { members } : {}),
  }
}

function allMembers(a: ReadonlyMap<string, Member>, b: ReadonlyMap<string, Member>): Map<string, Member> {
  const names = new Set([...a.keys(), ...b.keys()])
  return new Map(
    Array.from(names, (name) => {
      const [mine, theirs] = [a.get(name), b.get(name)]
      if (!mine || !theirs) return [name, { shape: (mine ?? theirs)?.shape ?? nothing, optional: true }]
      const optional = mine.optional || theirs.optional
      return [name, { shape: together(mine.shape, theirs.shape), optional }]
    }),
  )
}

function printed({ primitives, entries, members }: Shape, indent: number): string {
  const parts = (['boolean', 'number', 'string'] as const).filter((one) => primitives.has(one)) as string[]
  if (entries) parts.push(`ReadonlyArray<${printed(entries, indent)}>`)
  if (members) parts.push(printedMembers(members, indent))
  if (primitives.has('null')) parts.push('null')
  return parts.length === 0 ? 'never' : parts.join(' | ')
}

function printedMembers(members: ReadonlyMap<string, Member>, indent: number): string {
  if (members.size === 0) return 'Readonly<Record<string, never>>'
  const space = ' '.repeat(indent)
  const lines = [...members]
    .sort(([a], [b]) => compareCodePoints(a, b))
    .map(([name, { shape, optional }]) => {
      // An object without its own property inherits that of all objects: `constructor` is then not a text.
      const type = optional && name in Object.prototype ? 'unknown' : printed(shape, indent + 2)
      return `${space}  readonly ${memberName(name)}${optional ? '?' : ''}: ${type}\n`
    })
  return `{\n${lines.join('')}${space}}`
}
