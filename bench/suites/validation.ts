import { readFileSync } from 'node:fs'
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as z from 'zod'
import { parse, type Schema } from '../../packages/core/src/operation/schema.ts'
import { type Comparison, compare, type Suite } from '../compare.ts'

const suite = 'validation'

const valid = {
  key: 'checkout',
  name: 'Checkout',
  description: 'Prices of the checkout in three currencies, for customers who pay now',
  tags: ['shop', 'money', 'cards'],
  variations: [
    { value: { currency: 'EUR', cents: 900 }, name: 'Low' },
    { value: { currency: 'EUR', cents: 1200 }, name: 'High', description: 'Since spring' },
  ],
  defaults: { onVariation: 1, offVariation: 0 },
  clientSideAvailability: { usingEnvironmentId: true, usingMobileKey: false },
  temporary: false,
}

/** Six errors: a key, a tag, a property of a variation, an index, a boolean, an unknown property. */
const invalidBody = {
  ...valid,
  key: '/',
  tags: ['shop', 7],
  variations: [{ value: 1, name: 5 }, { value: 2 }],
  defaults: { onVariation: 'first', offVariation: 0 },
  temporary: 'no',
  colour: 'red',
}

/** Measures the validation of the body of a new flag. */
export const validation: Suite = {
  name: suite,
  about:
    'The body of createFlag as JSON.parse returns it, valid or with six errors that are all reported. Ours is the validation of the operation: valibot, and each error with its attribute and a sentence. zod has the same schema written by hand, ajv the schema of the API’s own OpenAPI document; both compile to code by `new Function`, which edge runtimes forbid, and ajv makes no copy.',
  async run() {
    const operations = await createEngine({ storage: createMemoryStorage() }).definitions()
    const body = operations.find(({ id }) => id === 'createFlag')?.body as unknown as { readonly schema: Schema }
    const ajv = ajvCheck()
    const zod = zodCheck()
    const results: Comparison[] = []
    for (const [name, input, isValid] of [
      ['a right body', valid, true],
      ['six faults', invalidBody, false],
    ] as const) {
      const ours = () => parse(body.schema, input)
      for (const [peer, run, agrees] of [
        ['zod', () => zod(input), zod(input)],
        ['ajv', () => ajv(input), ajv(input)],
      ] as const) {
        if (ours().ok !== isValid || agrees !== isValid) throw new Error(`${peer} and Halyard disagree on ${name}`)
        results.push(await compare({ suite, case: name, ours, peer: { name: peer, run } }))
      }
    }
    return results
  },
}

function ajvCheck(): (value: unknown) => boolean {
  const file = new URL('../../docs/reference/openapi.json', import.meta.url)
  const { components } = JSON.parse(readFileSync(file, 'utf8'))
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  const check = ajv.compile({ $ref: '#/components/schemas/CreateFlagBody', components })
  return (value) => check(value)
}

function zodCheck(): (value: unknown) => boolean {
  const key = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,255}$/)
  const availability = z.strictObject({ usingEnvironmentId: z.boolean(), usingMobileKey: z.boolean() })
  const variation = z.strictObject({ value: z.json(), name: z.string().optional(), description: z.string().optional() })
  const index = z.number().int().min(0)
  const schema = z.strictObject({
    key,
    name: z.string().min(1).max(256),
    description: z.string().optional(),
    tags: z.array(z.string().max(64)).optional(),
    variations: z.array(variation).optional(),
    defaults: z.strictObject({ onVariation: index, offVariation: index }).optional(),
    clientSideAvailability: availability.optional(),
    temporary: z.boolean().optional(),
  })
  return (value) => {
    const result = schema.safeParse(value)
    return result.success || result.error.issues.length === 0
  }
}
