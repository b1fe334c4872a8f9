import { readFileSync } from 'node:fs'
import path from 'node:path'
import { errorTable } from '@halyard/core/operations'
import { beforeAll, describe, expect, it } from 'vitest'
import { limitRows } from './limits/attempts.ts'
import { innerLimits } from './limits/inner-limits.ts'
import { createLimitTestContext, type LimitTestContext } from './limits/limit-test-context.ts'
import { publishedLimits } from './limits/published-limits.ts'
import { sourceLimits } from './limits/source-limits.ts'
import { root } from './source-imports.ts'

const guide = readFileSync(path.join(root, 'docs/guide/errors-and-limits.md'), 'utf8')

/** Rows of the tables of limits: the limited value, the limit, and the status and code of the response beyond it. */
const rows = [...guide.matchAll(/^\| ([^|]+) \| (\d+) \| (?:(\d{3}) `(\w+)`|the rest is left out) \|$/gm)].map(
  ([, label, limit, status, code]) => ({ what: label as string, most: Number(limit), status: Number(status), code }),
)

let context: LimitTestContext

beforeAll(async () => {
  context = await createLimitTestContext()
})

describe('the guide to errors and limits', () => {
  it('lists every error code with its status', () => {
    const documented = Object.fromEntries(
      [...guide.matchAll(/^\| `(\w+)` \| (\d{3})[^|]* \|/gm)].map(([, code, status]) => [code, Number(status)]),
    )
    expect(documented).toEqual(
      Object.fromEntries(Object.entries(errorTable).map(([code, { status }]) => [code, status])),
    )
  })

  it('has exactly one row, with the right number, for every limit in the code', () => {
    expect(rows.map(({ what: label }) => label).sort()).toEqual(Object.keys(limitRows).sort())
    const documentedLimits = new Map(
      rows.flatMap(({ what: label, most: limit }) => (limitRows[label]?.sources ?? []).map((id) => [id, limit])),
    )
    const limitsInCode = sourceLimits()
    expect(limitsInCode.length).toBeGreaterThan(90)
    const undocumented = limitsInCode
      .filter(({ id }) => !documentedLimits.has(id) && !(id in innerLimits))
      .map(({ id }) => id)
    expect(
      undocumented,
      'add a row to the guide and an attempt to its test, or list it among the inner limits',
    ).toEqual([])
    const limitValues = new Map(limitsInCode.map(({ id, value }) => [id, value]))
    for (const [id, limit] of documentedLimits) expect([id, limitValues.get(id)]).toEqual([id, limit])
    expect(Object.keys(innerLimits).filter((id) => !limitValues.has(id) || documentedLimits.has(id))).toEqual([])
  })

  it.each(rows.filter(({ what: label }) => limitRows[label]?.attempt))(
    'a request at the limit of $most is accepted and one beyond it refused: $what',
    async (row) => {
      const { attempt } = limitRows[row.what] as (typeof limitRows)[string]
      const atLimit = await attempt?.(context, row.most)
      const overLimit = await attempt?.(context, row.most + 1)
      expect([overLimit?.status, overLimit?.body.code], JSON.stringify(overLimit?.body)).toEqual([row.status, row.code])
      // A failed `test` operation shows that the patch was read, which is all that limits of patches concern.
      expect([200, 201, 204, 409], JSON.stringify(atLimit?.body).slice(0, 300)).toContain(atLimit?.status)
    },
  )
})

describe('limits of texts and lists in openapi.json', () => {
  const limits = publishedLimits()

  it('are found by the test', () => {
    expect(limits.length).toBeGreaterThan(150)
  })

  it('are enforced by every operation', async () => {
    const broken: string[] = []
    for (const { operation, method, path: template, attribute, limit, body } of limits) {
      const { status, body: documentedLimits } = await context.send(method, template, { body })
      const limitError = documentedLimits.errors?.find(
        (error) => error.attribute === attribute && error.reason.includes(String(limit)),
      )
      if (status !== 400 || !limitError)
        broken.push(`${operation} ${attribute} ${limit}: ${status} ${JSON.stringify(documentedLimits).slice(0, 200)}`)
    }
    expect(broken).toEqual([])
  })
})
