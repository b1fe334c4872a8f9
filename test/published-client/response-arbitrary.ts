import fc from 'fast-check'
import type { JsonSchema } from './published-client.ts'

/**
 * Generates values of a JSON Schema of the OpenAPI document, with times as numbers.
 *
 * @param components the schemas to which it refers, by name.
 */
export function valuesOf(schema: JsonSchema, components: Readonly<Record<string, JsonSchema>>): fc.Arbitrary<unknown> {
  const arbitraryByName = new Map<string, fc.Arbitrary<unknown>>([['Timestamp', times]])

  function arbitraryOf(part: JsonSchema): fc.Arbitrary<unknown> {
    if (typeof part.$ref === 'string') return arbitraryOfName(part.$ref.split('/').at(-1) as string)
    if ('const' in part) return fc.constant(part.const)
    if (Array.isArray(part.enum)) return fc.constantFrom(...part.enum)
    const alternatives = (part.anyOf ?? part.oneOf) as readonly JsonSchema[] | undefined
    if (alternatives) return fc.oneof(...alternatives.map(arbitraryOf))
    switch (part.type) {
      case 'object':
        return objectOf(part)
      case 'array':
        return fc.array(arbitraryOf((part.items ?? {}) as JsonSchema), { maxLength: 2 })
      case 'string':
        return fc.constantFrom('', 'a', 'web')
      case 'integer':
      case 'number':
        return times
      case 'boolean':
        return fc.boolean()
      case 'null':
        return fc.constant(null)
      default:
        return fc.constantFrom<unknown>('text', 1.5, true, null, [null], { a: [] })
    }
  }

  function arbitraryOfName(name: string): fc.Arbitrary<unknown> {
    let arbitrary = arbitraryByName.get(name)
    if (!arbitrary) {
      // A schema that refers to itself ends after one level.
      arbitraryByName.set(name, fc.constant({}))
      arbitrary = arbitraryOf(components[name] ?? {})
      arbitraryByName.set(name, arbitrary)
    }
    return arbitrary
  }

  function objectOf({ properties = {}, required = [], additionalProperties }: JsonSchema): fc.Arbitrary<unknown> {
    const namedProperties = Object.entries(properties as Record<string, JsonSchema>)
    const record = fc.record(Object.fromEntries(namedProperties.map(([name, part]) => [name, arbitraryOf(part)])), {
      requiredKeys: required as string[],
    })
    if (namedProperties.length > 0 || !isSchema(additionalProperties)) return record
    if (String(additionalProperties.$ref).endsWith('/Link')) return fc.constant(allLinks)
    return fc.dictionary(fc.constantFrom('production', 'test'), arbitraryOf(additionalProperties))
  }

  return arbitraryOf(schema)
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null
}

const link = { href: '/api/v2', type: 'application/json' }

/** Each response always has its own links. */
const allLinks = { self: link, parent: link }

const times = fc.constantFrom(0, 1, 1_700_000_000_000)
