import { compareCodePoints } from '@halyard/core/storage'
import { propertyName, quoted } from './quoted.ts'

/** The shape of some values: which primitives occur, and the shapes of entries of lists and properties of objects. */
interface Shape {
  readonly primitives: ReadonlySet<'boolean' | 'number' | 'string' | 'null'>
  /** Shape of the entries of all lists; undefined when no value is a list. */
  readonly entries?: Shape
  /** Properties of all objects; undefined when no value is an object. */
  readonly properties?: ReadonlyMap<string, ShapeProperty>
}

interface ShapeProperty {
  readonly shape: Shape
  /** True when an object does not have the property. */
  readonly optional: boolean
}

const emptyShape: Shape = { primitives: new Set() }

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
  return printShape(values.map(shapeOf).reduce(mergeShapes, emptyShape), indent)
}

function shapeOf(value: unknown): Shape {
  if (value === null) return { primitives: new Set(['null']) }
  if (Array.isArray(value)) return { ...emptyShape, entries: value.map(shapeOf).reduce(mergeShapes, emptyShape) }
  if (typeof value === 'object') {
    const properties = Object.entries(value as object).map(
      ([name, inner]) => [name, { shape: shapeOf(inner), optional: false }] as const,
    )
    return { ...emptyShape, properties: new Map(properties) }
  }
  return { primitives: new Set([typeof value as 'boolean' | 'number' | 'string']) }
}

function mergeShapes(a: Shape, b: Shape): Shape {
  const entries = a.entries && b.entries ? mergeShapes(a.entries, b.entries) : (a.entries ?? b.entries)
  const properties =
    a.properties && b.properties ? mergeProperties(a.properties, b.properties) : (a.properties ?? b.properties)
  return {
    primitives: new Set([...a.primitives, ...b.primitives]),
    ...(entries ? { entries } : {}),
    ...(properties ? { properties } : {}),
  }
}

function mergeProperties(
  a: ReadonlyMap<string, ShapeProperty>,
  b: ReadonlyMap<string, ShapeProperty>,
): Map<string, ShapeProperty> {
  const names = new Set([...a.keys(), ...b.keys()])
  return new Map(
    Array.from(names, (name) => {
      const [left, right] = [a.get(name), b.get(name)]
      if (!left || !right) return [name, { shape: (left ?? right)?.shape ?? emptyShape, optional: true }]
      const optional = left.optional || right.optional
      return [name, { shape: mergeShapes(left.shape, right.shape), optional }]
    }),
  )
}

function printShape({ primitives, entries, properties }: Shape, indent: number): string {
  const parts = (['boolean', 'number', 'string'] as const).filter((primitive) => primitives.has(primitive)) as string[]
  if (entries) parts.push(`ReadonlyArray<${printShape(entries, indent)}>`)
  if (properties) parts.push(printProperties(properties, indent))
  if (primitives.has('null')) parts.push('null')
  return parts.length === 0 ? 'never' : parts.join(' | ')
}

function printProperties(properties: ReadonlyMap<string, ShapeProperty>, indent: number): string {
  if (properties.size === 0) return 'Readonly<Record<string, never>>'
  const space = ' '.repeat(indent)
  const lines = [...properties]
    .sort(([a], [b]) => compareCodePoints(a, b))
    .map(([name, { shape, optional }]) => {
      // An object that lacks the property inherits one of this name from `Object.prototype`, e.g. the function
      // `constructor`.
      const type = optional && name in Object.prototype ? 'unknown' : printShape(shape, indent + 2)
      return `${space}  readonly ${propertyName(name)}${optional ? '?' : ''}: ${type}\n`
    })
  return `{\n${lines.join('')}${space}}`
}
